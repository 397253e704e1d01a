import { randomUUID } from 'node:crypto';
import { createPepperRing } from '../src';
import type { NewApiToken, PepperRing, Reservation, Settlement } from '../src';

/** One dollar. */
export const DOLLAR = 1_000_000;

export function aPepperRing(...versions: number[]): PepperRing {
  const chosen = versions.length === 0 ? [1] : versions;
  return createPepperRing(
    chosen.map((version) => ({ version, secret: Buffer.alloc(32, `pepper ${version}`) })),
  );
}

export function aTokenRequest(overrides: Partial<NewApiToken> = {}): NewApiToken {
  return {
    tenantId: 'tenant-1',
    userId: 'user-1',
    name: 'a token',
    allowedModels: null,
    rpm: null,
    tpm: null,
    dayCapMicroUsd: null,
    monthCapMicroUsd: null,
    expiresAt: null,
    ...overrides,
  };
}

export function aReservation(overrides: Partial<Reservation> = {}): Reservation {
  return {
    attemptId: randomUUID(),
    requestId: 'request-1',
    tenantId: 'tenant-1',
    userId: 'user-1',
    tokenId: null,
    requestedModel: 'simple',
    servedModel: 'model-a',
    region: 'ap-northeast-1',
    target: 'on-demand',
    reservedMicroUsd: 10_000,
    ...overrides,
  };
}

export function aSettlement(overrides: Partial<Settlement> & { attemptId: string }): Settlement {
  return {
    status: 'settled',
    outcome: 'completed',
    costMicroUsd: 4_000,
    inputTokens: 120,
    outputTokens: 40,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    clientDisconnected: false,
    ...overrides,
  };
}
