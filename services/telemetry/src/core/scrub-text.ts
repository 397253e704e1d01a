import { sensitivityOf } from './sensitive-keys';

export const REDACTED = '[redacted]';

/** No single secret that is recognised by where it ends is longer than this. */
export const LONGEST_DELIMITED_SECRET = 2_048;

// Every repetition that could start anywhere is bounded, so the cost stays linear in the text.
const API_TOKEN = /mts_[\w-]+/g;
const BEARER = /\b(Bearer|Basic|Digest)\s+[\w.~+/=:-]{6,}/gi;
const JSON_WEB_TOKEN = /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g;
const AWS_ACCESS_KEY = /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/g;
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
const URL_PASSWORD = /\b([a-z][a-z\d+.-]{0,20}:\/\/[^\s:@/?#"'<>]{0,256}):[^\s/?#"'<>]{1,1024}@/gi;
// Drivers accept passwords that a strict URL would have percent-encoded.
const DATABASE_URL_PASSWORD =
  /\b((?:postgres(?:ql)?|rediss?|valkeys?|mysql|mongodb(?:\+srv)?|amqps?|kafka):\/\/[^\s:@/"'<>]{0,256}):[^\s"'<>]{1,1024}@/gi;
const HEADER_LINE = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*[:=]\s*)[^\r\n]+/gi;
// The name of a secret inside an ARN is not the secret; what is hidden already stays as it is.
const ASSIGNMENT =
  /\b([\w.-]{0,40}?(?:password|passwd|pwd|secret|token|api[-_]?key|access[-_]?key|credentials?|signature)\b(?<!\barn:[\w:/-]{0,120})["']?\s*[:=]\s*)(?!["']?\[redacted)("[^"\r\n]{0,1024}"?|'[^'\r\n]{0,1024}'?|[^\s,;&"'{}()[\]]+)/gi;
/** `"name":"value"`, at any depth of JSON quoted inside JSON: the same backslashes stand before each quote. */
const QUOTED_PAIR = /(\\{0,15})"([\w.-]{1,64})\1"(\s*:\s*)\1"([\s\S]*?)(?:(?<!\\)\1"|$)/g;

/** Most text has nothing that any of the patterns could begin with. */
const SUSPICIOUS = /[:=]|mts_|eyJ|A[KS]IA|-----|\b(?:Bearer|Basic|Digest)\s/i;

/** Takes out of free text whatever looks like a credential, and quoted JSON fields that hold one. */
export function scrubSecrets(text: string, showPrompts = false): string {
  if (!SUSPICIOUS.test(text)) return text;
  return scrubQuotedPairs(text, showPrompts)
    .replace(API_TOKEN, `mts_${REDACTED}`)
    .replace(PRIVATE_KEY, REDACTED)
    .replace(DATABASE_URL_PASSWORD, `$1:${REDACTED}@`)
    .replace(URL_PASSWORD, `$1:${REDACTED}@`)
    .replace(HEADER_LINE, `$1$2${REDACTED}`)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(JSON_WEB_TOKEN, REDACTED)
    .replace(AWS_ACCESS_KEY, REDACTED)
    .replace(ASSIGNMENT, `$1${REDACTED}`);
}

function scrubQuotedPairs(text: string, showPrompts: boolean): string {
  return text.replace(
    QUOTED_PAIR,
    (_pair, slashes: string, name: string, colon: string, value: string) => {
      const sensitivity = sensitivityOf(name);
      const hide = sensitivity === 'secret' || (sensitivity === 'prompt' && !showPrompts);
      const shown = hide ? REDACTED : scrubQuotedPairs(value, showPrompts);
      return `${slashes}"${name}${slashes}"${colon}${slashes}"${shown}${slashes}"`;
    },
  );
}
