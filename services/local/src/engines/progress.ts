/** Hears one line per step while engines are looked for, installed and started. */
export type OnProgress = (line: string) => void;

/** For callers that do not want to hear. */
export const silent: OnProgress = () => undefined;
