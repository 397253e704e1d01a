import type { AwsError } from '../wire/aws-error';
import { restJsonErrorBody, restJsonErrorHeaders } from '../wire/aws-rest-json-error';
import type { Ending, Reply, Step } from './core/reply';
import type { Script } from './core/scripts';

/** A reply that refuses a call with an error in AWS's shape. */
export function errorReply(error: AwsError, requestId: string): Reply {
  return whole(error.status, restJsonErrorHeaders(error, requestId), restJsonErrorBody(error));
}

/** A page as a proxy on the way sends it, in no shape an SDK knows. */
export function badGatewayReply(): Reply {
  const page =
    '<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>';
  return whole(502, { 'content-type': 'text/html' }, Buffer.from(page));
}

interface Scripted {
  readonly steps: Iterable<Step>;
  readonly ending: Ending;
  readonly outcome: Reply['outcome'];
}

/** A good answer, or what a script has made of it. */
export function answerReply(
  scripted: Scripted,
  headers: Readonly<Record<string, string>>,
  script: Script,
): Reply {
  return {
    ...scripted,
    status: 200,
    headers,
    outlivesCaller: script.name === 'reply-after-cancel',
  };
}

/** A JSON answer, or what a script has made of it; its length is stated where it is known. */
export function jsonReply(
  scripted: Scripted,
  headers: Readonly<Record<string, string>>,
  script: Script,
): Reply {
  const { steps, ending } = scripted;
  const isWhole = Array.isArray(steps) && ending === 'end';
  const length = isWhole ? { 'content-length': String(bytesOf(steps)) } : {};
  return answerReply(
    scripted,
    { 'content-type': 'application/json', ...headers, ...length },
    script,
  );
}

function bytesOf(steps: Iterable<Step>): number {
  let bytes = 0;
  for (const step of steps) bytes += step.bytes.length;
  return bytes;
}

function whole(status: number, headers: Record<string, string>, bytes: Buffer): Reply {
  return {
    status,
    headers: { ...headers, 'content-length': String(bytes.length) },
    steps: [{ atMs: 0, bytes, tokens: 0 }],
    ending: 'end',
    outcome: 'refused',
    outlivesCaller: false,
  };
}
