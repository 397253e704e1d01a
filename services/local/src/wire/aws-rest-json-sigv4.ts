import type { IncomingHttpHeaders } from 'node:http';

import { AwsError } from './aws-error';

/** Who signed, for which region and service: the scope an AWS endpoint reads from a SigV4 header. */
export interface CredentialScope {
  readonly accessKeyId: string;
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const CREDENTIAL =
  /^([A-Za-z0-9]{4,128})\/(\d{8})\/([a-z]{2}(?:-[a-z]+)+-\d)\/([a-z0-9-]+)\/aws4_request$/;
const SIGNATURE = /^[0-9a-f]{64}$/;
const AMZ_DATE = /^\d{8}T\d{6}Z$/;

/**
 * Reads the credential scope of a well-formed SigV4 `Authorization` header. The signature's value is
 * not checked (a stand-in knows no secret), its shape and what it covers are.
 */
export function readCredentialScope(
  headers: IncomingHttpHeaders,
  expectedService: string,
): CredentialScope {
  const { authorization } = headers;
  if (authorization === undefined) {
    throw new AwsError('MissingAuthenticationTokenException', 'Missing Authentication Token', 403);
  }
  if (!authorization.startsWith(`${ALGORITHM} `)) {
    throw incomplete(`Authorization must use ${ALGORITHM}.`);
  }
  const parts = readParts(authorization.slice(ALGORITHM.length + 1));
  const scope = readScope(parts.get('Credential') ?? '');
  if (!SIGNATURE.test(parts.get('Signature') ?? ''))
    throw incomplete("'Signature' is not 64 hex digits.");
  checkSignedHeaders(parts.get('SignedHeaders') ?? '');
  checkDate(headers['x-amz-date'], scope.date);
  if (scope.service !== expectedService) {
    throw new AwsError(
      'InvalidSignatureException',
      `Credential should be scoped to correct service: '${expectedService}'.`,
      403,
    );
  }
  return scope;
}

function readParts(list: string): Map<string, string> {
  return new Map(
    list.split(',').map((part) => {
      const [key = '', ...value] = part.trim().split('=');
      return [key, value.join('=')];
    }),
  );
}

function readScope(credential: string): CredentialScope {
  const match = CREDENTIAL.exec(credential);
  if (!match) throw incomplete("'Credential' must be key/date/region/service/aws4_request.");
  const [, accessKeyId = '', date = '', region = '', service = ''] = match;
  return { accessKeyId, date, region, service };
}

function checkSignedHeaders(list: string): void {
  const names = list.split(';');
  // Over HTTP/2 the host is signed under the name of its pseudo-header.
  if (!names.includes('host') && !names.includes(':authority'))
    throw incomplete("'Host' must be in the canonical request.");
  if (!names.includes('x-amz-date'))
    throw incomplete("'X-Amz-Date' must be in the canonical request.");
}

function checkDate(amzDate: string | string[] | undefined, scopeDate: string): void {
  if (typeof amzDate !== 'string' || !AMZ_DATE.test(amzDate)) {
    throw incomplete('Authorization header requires existence of an X-Amz-Date header.');
  }
  if (!amzDate.startsWith(scopeDate)) {
    throw incomplete(
      'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date.',
    );
  }
}

function incomplete(message: string): AwsError {
  return new AwsError('IncompleteSignatureException', message, 403);
}
