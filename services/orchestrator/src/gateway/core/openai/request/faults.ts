import { shown } from '../refusal/shown';
import { InvalidRequestError } from './invalid-request-error';

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });

/** The faults of a parameter in the words OpenAI uses for them; `param` is a path like `messages[0].role`. */

export function missing(param: string): InvalidRequestError {
  const message = `Missing required parameter: '${shown(param)}'.`;
  return new InvalidRequestError(message, shown(param), 'missing_required_parameter');
}

export function unknown(param: string): InvalidRequestError {
  const message = `Unknown parameter: '${shown(param)}'.`;
  return new InvalidRequestError(message, shown(param), 'unknown_parameter');
}

export function unsupported(param: string, instead?: string): InvalidRequestError {
  const advice = instead === undefined ? '' : ` Use '${instead}' instead.`;
  const message = `Unsupported parameter: '${param}' is not supported with this model.${advice}`;
  return new InvalidRequestError(message, param, 'unsupported_parameter');
}

export function onlyDefault(param: string, value: unknown, standard: string): InvalidRequestError {
  const message =
    `Unsupported value: '${param}' does not support ${described(value)} with this model. ` +
    `Only the default (${standard}) value is supported.`;
  return new InvalidRequestError(message, param, 'unsupported_value');
}

export function wrongType(param: string, expected: string, value: unknown): InvalidRequestError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${typeName(value)} instead.`;
  return new InvalidRequestError(message, param, 'invalid_type');
}

export function wrongValue(
  param: string,
  value: unknown,
  supported: readonly string[],
): InvalidRequestError {
  const values = LIST.format(supported.map((each) => `'${each}'`));
  const message = `Invalid value: ${described(value)}. Supported values are: ${values}.`;
  return new InvalidRequestError(message, param, 'invalid_value');
}

/** A fault that OpenAI words as `Invalid 'param': …`. */
export function invalid(param: string, what: string, code = 'invalid_value'): InvalidRequestError {
  return new InvalidRequestError(`Invalid '${param}': ${what}`, param, code);
}

export function tooMany(param: string, most: number, length: number): InvalidRequestError {
  const what = `array too long. Expected an array with maximum length ${most}, but got an array with length ${length} instead.`;
  return invalid(param, what, 'array_above_max_length');
}

function described(value: unknown): string {
  if (typeof value === 'string') return `'${shown(value)}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return shown(value);
  return typeName(value);
}

/** A JSON value's type, with its article. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
