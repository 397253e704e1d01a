/**
 * Code points that show nothing, or show text in another order than it is in: tags, zero-width marks, variation
 * selectors, bidirectional overrides, control characters. A model repeats what it was fed; a reader must see all of it.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]|\udb40[\udc00-\udfff]/g;

export function visibleText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
}
