import { getTableColumns } from 'drizzle-orm';
import type { InferSelectModel } from 'drizzle-orm';
import { apiTokens } from '../schema';

const { digest, pepperVersion, ...visible } = getTableColumns(apiTokens);

/** What may be seen of a token. */
export const VISIBLE_COLUMNS = visible;

/** What verifies a token, beside what may be seen of it. */
export const STORED_COLUMNS = { token: visible, digest, pepperVersion };

/** A token as people and programs may see it: what it may do and how long. */
export type ApiToken = Omit<InferSelectModel<typeof apiTokens>, 'digest' | 'pepperVersion'>;

/** A token as it is looked up. */
export interface StoredToken {
  readonly token: ApiToken;
  readonly digest: Buffer;
  readonly pepperVersion: number;
}

/** What a new token may do; `null` means no limit of that kind. */
export interface NewApiToken {
  readonly tenantId: string;
  readonly userId: string;
  readonly name: string;
  readonly allowedModels: readonly string[] | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
  readonly dayCapMicroUsd: number | null;
  readonly monthCapMicroUsd: number | null;
  readonly expiresAt: Date | null;
}

/** A token just made. The plaintext is here and nowhere else; it cannot be shown again. */
export interface IssuedToken {
  readonly token: ApiToken;
  readonly plaintext: string;
}
