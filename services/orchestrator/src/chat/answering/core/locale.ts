const JAPANESE = /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9d]/;

/** The language to answer in: as the client says, else as the question is written. */
export function localeOf(locale: 'ja' | 'en' | undefined, text: string): 'ja' | 'en' {
  return locale ?? (JAPANESE.test(text) ? 'ja' : 'en');
}
