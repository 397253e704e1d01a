/** Something of the catalogue that may help to answer. Its words are data, never instructions. */
export interface Passage {
  readonly id: string;
  readonly title: string;
  readonly titleEn: string;
  readonly text: string;
}

/** What a reader is shown of a passage. */
export interface Source {
  readonly titleId: string;
  readonly title: string;
}

const PRINTABLE_ID = /^[\x21-\x7e]{1,128}$/;

/** Passages as sources, in the reader's language; an index that holds odd ids names fewer. */
export function sourcesOf(passages: readonly Passage[], locale: 'ja' | 'en'): readonly Source[] {
  return passages
    .filter(({ id }) => PRINTABLE_ID.test(id))
    .map(({ id, title, titleEn }) => ({
      titleId: id,
      title: (locale === 'en' ? titleEn || title : title || titleEn) || id,
    }));
}
