import type { TokenBody } from '../wire/token-schemas';
import type { ApiClient } from './api-client';
import { firstRows } from './pages';
import { presentSpend, presentToken, presentTokens, presentUsage } from './present';

/** What a command says: to a person, or as JSON to a program. */
export interface Said {
  readonly text: string;
  readonly json: unknown;
  /** For the person only, beside the answer. */
  readonly note?: string;
}

const TOKENS_PER_PAGE = 200;
const USAGE_ROWS_PER_PAGE = 1_000;

export async function createToken(
  client: ApiClient,
  tenant: string,
  body: object,
  idempotencyKey: string | undefined,
): Promise<Said> {
  const { token: plaintext, ...token } = await client.createToken(tenant, body, idempotencyKey);
  if (plaintext !== undefined) return showIssued('Created', { ...token, token: plaintext });
  return {
    text: `Created before: ${token.id} for user ${token.user_id} of tenant ${token.tenant_id}.\n`,
    note: 'Its text was shown then and is stored nowhere. If it is lost: rotate it with --overlap 0s.',
    json: token,
  };
}

export async function rotateToken(
  client: ApiClient,
  tenant: string,
  id: string,
  body: object,
): Promise<Said> {
  const issued = await client.rotateToken(tenant, id, body);
  return showIssued(`Rotated ${id}; its successor is`, issued);
}

export async function revokeToken(client: ApiClient, tenant: string, id: string): Promise<Said> {
  const token = await client.revokeToken(tenant, id);
  return { text: `Revoked ${token.id} (${token.hint}).\n`, json: token };
}

export async function showToken(client: ApiClient, tenant: string, id: string): Promise<Said> {
  const token = await client.showToken(tenant, id);
  return { text: presentToken(token), json: token };
}

export async function showSpend(client: ApiClient, tenant: string, id: string): Promise<Said> {
  const spend = await client.showSpend(tenant, id);
  return { text: presentSpend(spend), json: spend };
}

export async function listTokens(
  client: ApiClient,
  query: { readonly tenant: string; readonly user: string | undefined },
  count: number,
): Promise<Said> {
  const { rows, more } = await firstRows(count, TOKENS_PER_PAGE, (page) =>
    client.listTokens({ ...query, ...page }),
  );
  return { text: presentTokens(rows), json: rows, ...moreNote(more) };
}

export async function reportUsage(
  client: ApiClient,
  query: Readonly<Record<string, string | undefined>> & { readonly group_by: string },
  count: number,
): Promise<Said> {
  const { rows, more } = await firstRows(count, USAGE_ROWS_PER_PAGE, (page) =>
    client.summariseUsage({ ...query, ...page }),
  );
  return { text: presentUsage(query.group_by, rows), json: rows, ...moreNote(more) };
}

function showIssued(deed: string, issued: TokenBody & { readonly token: string }): Said {
  return {
    text: `${deed} ${issued.id} for user ${issued.user_id} of tenant ${issued.tenant_id}.\n\n  ${issued.token}\n`,
    note: 'The token is shown this once: store it now.',
    json: issued,
  };
}

function moreNote(more: boolean): { readonly note?: string } {
  return more ? { note: 'There is more: raise --limit.' } : {};
}
