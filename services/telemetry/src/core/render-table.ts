/** One line of a table; the columns are the keys of the first row. */
export type TableRow = Readonly<Record<string, string | number | boolean>>;

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;

/** A table for a person: numbers short and to the right, texts to the left. */
export function renderTable(rows: readonly TableRow[]): string {
  const names = Object.keys(rows[0] ?? {});
  const columns = names.map((name) =>
    renderColumn(
      name,
      rows.map((row) => row[name] ?? ''),
    ),
  );
  const lineCount = columns[0]?.length ?? 0;
  return Array.from({ length: lineCount }, (_, line) =>
    columns
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd()
      .concat('\n'),
  ).join('');
}

function renderColumn(name: string, cells: readonly (string | number | boolean)[]): string[] {
  const texts = cells.map(renderCell);
  const width = Math.max(...[name, ...texts].map(displayWidth));
  const right = cells.some((cell) => typeof cell === 'number');
  const pad = (text: string): string => {
    const space = ' '.repeat(width - displayWidth(text));
    return right ? space + text : text + space;
  };
  return [pad(name), '─'.repeat(width), ...texts.map(pad)];
}

function renderCell(cell: string | number | boolean): string {
  return typeof cell === 'number' ? renderNumber(cell) : String(cell);
}

/** Whole numbers in full, others to three digits that say something. */
export function renderNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1000) {
    return value.toLocaleString('en-US', { maximumFractionDigits: 0 });
  }
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

/** Columns on a terminal: characters of East Asian scripts take two. */
function displayWidth(text: string): number {
  return Array.from(text).length + (text.match(WIDE)?.length ?? 0);
}
