/** `byteCount` random bytes as lower-case hexadecimal. */
export type RandomHex = (byteCount: number) => string;

const TRACE_ID = /^(?!0{32})[\da-f]{32}$/;
const SPAN_ID = /^(?!0{16})[\da-f]{16}$/;

export const isTraceId = (text: string): boolean => TRACE_ID.test(text);
export const isSpanId = (text: string): boolean => SPAN_ID.test(text);

/** Sixteen bytes that begin with the time in seconds: what X-Ray asks of a trace, and random enough for everybody else. */
export function newTraceId(nowMs: number, randomHex: RandomHex): string {
  const seconds = (Math.floor(nowMs / 1000) >>> 0).toString(16).padStart(8, '0');
  return notAllZero(seconds + randomHex(12));
}

export function newSpanId(randomHex: RandomHex): string {
  return notAllZero(randomHex(8));
}

/** Zero means "no id"; chance may say it too. */
function notAllZero(hex: string): string {
  return /^0+$/.test(hex) ? `${hex.slice(0, -1)}1` : hex;
}
