/** A comment that keeps idle connections open; clients ignore it. */
export const HEARTBEAT = ': heartbeat\n\n';

export const DONE = 'data: [DONE]\n\n';

/** One server-sent event. JSON has no raw line breaks, so its text cannot leave the event. */
export function sseEvent(json: string): string {
  return `data: ${json}\n\n`;
}

/** Line ends to Unicode, though not to SSE; some clients split by Unicode. */
const UNICODE_LINE_END = /[\u0085\u2028\u2029]/;
const UNICODE_LINE_ENDS = new RegExp(UNICODE_LINE_END, 'g');

/** A JSON string that no reader of lines can break. */
export function jsonText(text: string): string {
  const json = JSON.stringify(text);
  return UNICODE_LINE_END.test(json) ? json.replace(UNICODE_LINE_ENDS, escaped) : json;
}

function escaped(lineEnd: string): string {
  return `\\u${lineEnd.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
