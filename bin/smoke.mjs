// `node bin/smoke.mjs <url>`: whether a deployment answers, as somebody without credentials sees it.
// Nothing but Node itself: a pipeline runs it on a machine where nothing is installed.

const CHECKS = [
  ['the console is served', '/', 200, /<!doctype html>/i],
  ['the API describes itself', '/openapi.json', 200, /"openapi"/],
  ['the chat refuses strangers', '/v1/models', 401, /./],
  ['the API refuses strangers', '/v1/tokens', 401, /./],
];

const TRIES = 5;
const PAUSE_MS = 3_000;

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error('Usage: node bin/smoke.mjs <url>');
  process.exit(1);
}

let failed = false;
for (const [fact, path, status, body] of CHECKS) {
  const problem = await persist(() => problemOf(new URL(path, url), status, body));
  console.log(problem === undefined ? `• ${fact}` : `✗ ${fact}: ${problem}`);
  failed ||= problem !== undefined;
}
process.exitCode = failed ? 1 : 0;

/** A distribution that has just changed may answer from before. */
async function persist(check) {
  let problem;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    problem = await check();
    if (problem === undefined) return undefined;
    if (attempt < TRIES) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return problem;
}

async function problemOf(address, status, body) {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    const text = await answer.text();
    if (answer.status !== status) return `${address} answered ${answer.status}, not ${status}`;
    return body.test(text)
      ? undefined
      : `${address} answered something else: ${text.slice(0, 200)}`;
  } catch (error) {
    return `${address}: ${error.message}`;
  }
}
