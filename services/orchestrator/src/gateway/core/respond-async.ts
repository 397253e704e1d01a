const PREFERENCE = 'respond-async';

/**
 * Whether a `Prefer` header (RFC 7240) asks for an answer that is fetched later. Preferences are a list, may carry values
 * and parameters, and are not case-sensitive; what is unknown is left alone.
 */
export function prefersAsync(prefer: string | undefined): boolean {
  if (prefer === undefined) return false;
  return prefer.split(',').some((preference) => {
    const [token = ''] = preference.split(/[;=]/, 1);
    return token.trim().toLowerCase() === PREFERENCE;
  });
}
