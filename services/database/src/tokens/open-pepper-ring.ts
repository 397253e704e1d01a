import type { Pepper } from '@matsuri/contract';
import { createPepperRing, type PepperRing } from '../core/pepper-ring';

/** The ring a program was given in its environment. */
export function openPepperRing(peppers: readonly Pepper[]): PepperRing {
  return createPepperRing(
    peppers.map(({ version, secret }) => ({ version, secret: Buffer.from(secret, 'base64url') })),
  );
}
