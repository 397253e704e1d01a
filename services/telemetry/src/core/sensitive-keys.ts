/** Why a value under this name may not be logged: it opens a door, or it is what somebody said. */
export type Sensitivity = 'secret' | 'prompt';

const SECRET =
  /(?:authorization|cookie|password|passwd|passphrase|secret|credentials?|apikey|token)-$|-(?:api|access|private|signing|encryption|session)-key-|-(?:authorization|cookie|password|passwd|pwd|passphrase|secret|credentials?|pepper|jwt|signature)-/;

const PROMPT =
  /-(?:prompts?|completions?|messages?|contents?|system|instructions?|texts?|utterances?|questions?|answers?|quer(?:y|ies)|transcript|conversation|history|turns?|delta|body)-$/;

/** `secretArn` and `statusText` name or describe a thing; they do not contain it. */
const DESCRIBES =
  /-(?:arn|name|ids?|count|length|size|bytes|ms|seconds|at|version|type|kind)-$|-(?:error|status|failure)-(?:message|text)-$/;

// A program logs few different field names, many times; names made up by others must not pile up.
const MOST_REMEMBERED = 1_000;
const judged = new Map<string, Sensitivity | undefined>();

/** Judges a field by its name, in whatever case it is written: `x-api-key`, `apiKey`, `API_KEY`. */
export function sensitivityOf(fieldName: string): Sensitivity | undefined {
  const known = judged.get(fieldName);
  if (known !== undefined || judged.has(fieldName)) return known;
  const sensitivity = judge(fieldName);
  if (judged.size < MOST_REMEMBERED) judged.set(fieldName, sensitivity);
  return sensitivity;
}

function judge(fieldName: string): Sensitivity | undefined {
  const words = hyphenated(fieldName);
  if (DESCRIBES.test(words)) return undefined;
  if (SECRET.test(words)) return 'secret';
  return PROMPT.test(words) ? 'prompt' : undefined;
}

function hyphenated(fieldName: string): string {
  const words = fieldName
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-');
  return `-${words.toLowerCase()}-`;
}
