/** What a command measured: nested objects and lists of numbers, texts and truths. */
export interface Figures {
  readonly [key: string]: Figure;
}

export type Figure = number | string | boolean | null | readonly Figure[] | Figures;

/** Written by the report itself. */
const RESERVED = new Set(['command', 'name', 'seed', 'commit', 'node', 'started_at', 'took_s']);

/** A single capital is a figure known by its letter, as R of a comparison. */
const SNAKE_CASE = /^(?:[A-Z]|[a-z][a-z\d]*(?:_[a-z\d]+)*)$/;

/** Why these figures would not serve those who compare files over time; empty when they would. */
export function figureProblems(figures: Figures): string[] {
  const taken = Object.keys(figures).filter((key) => RESERVED.has(key));
  return [
    ...taken.map((key) => `${key}: is written by the report itself`),
    ...problemsIn(figures, ''),
  ];
}

function problemsIn(figure: Figure, path: string): string[] {
  if (typeof figure === 'number') {
    return Number.isFinite(figure) ? [] : [`${path}: ${String(figure)} has no place in JSON`];
  }
  if (typeof figure !== 'object' || figure === null) return [];
  return Object.entries(figure).flatMap(([key, member]: [string, Figure]) => {
    const memberPath = path === '' ? key : `${path}.${key}`;
    const named = Array.isArray(figure) || SNAKE_CASE.test(key);
    return [
      ...(named ? [] : [`${memberPath}: use snake_case with the unit at the end, as in p99_ms`]),
      ...problemsIn(member, memberPath),
    ];
  });
}
