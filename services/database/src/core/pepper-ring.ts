/** A secret key of the token digests, known by its version. */
export interface Pepper {
  readonly version: number;
  readonly secret: Uint8Array;
}

/** The peppers in use. Tokens are looked up under each; new ones are made under `newest`. */
export interface PepperRing {
  readonly newest: Pepper;
  /** Newest first. */
  readonly all: readonly Pepper[];
}

const MIN_SECRET_BYTES = 32;

/**
 * Orders peppers into a ring. To change peppers, first give every process the new one with
 * `currentVersion` still the old one, then let `currentVersion` go; drop a pepper when no token
 * carries its version any more.
 *
 * @param currentVersion makes new tokens; the highest version if not given
 */
export function createPepperRing(peppers: readonly Pepper[], currentVersion?: number): PepperRing {
  const all = peppers.toSorted((a, b) => b.version - a.version);
  if (new Set(all.map(({ version }) => version)).size !== all.length) {
    throw new RangeError('Two peppers have the same version');
  }
  for (const { version, secret } of all) {
    if (!Number.isInteger(version) || version < 1)
      throw new RangeError('A pepper version is 1 or more');
    if (secret.length < MIN_SECRET_BYTES) {
      throw new RangeError(`Pepper ${version} is shorter than ${MIN_SECRET_BYTES} bytes`);
    }
  }
  const newest = all.find(({ version }) => version === (currentVersion ?? all[0]?.version));
  if (newest === undefined) throw new RangeError('The pepper for new tokens is not in the ring');
  return { newest, all };
}
