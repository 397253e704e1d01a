/** Whether a value of unknown origin has a shape. */
export type Shape<T> = (value: unknown) => value is T;

/** Every field of `T` has to be named, so a field added to a type cannot be forgotten here. */
type Fields<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

export const amount: Shape<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const count: Shape<number> = (value): value is number =>
  Number.isSafeInteger(value) && amount(value);

export const text: Shape<string> = (value): value is string => typeof value === 'string';

export function oneOf<const T extends string>(names: readonly T[]): Shape<T> {
  return (value): value is T => names.some((name) => name === value);
}

export function exactly<const T extends number>(only: T): Shape<T> {
  return (value): value is T => value === only;
}

export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value): value is T | undefined => value === undefined || shape(value);
}

export function listOf<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(shape);
}

export function recordOf<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    isObject(value) && Object.values(value).every(shape);
}

export function objectOf<T extends object>(fields: Fields<T>): Shape<T> {
  const shapes = Object.entries<Shape<unknown>>(fields);
  return (value): value is T =>
    isObject(value) && shapes.every(([key, shape]) => shape(value[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
