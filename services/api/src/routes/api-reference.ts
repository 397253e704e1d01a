import { PATHS, type PlatformConfiguration } from '@matsuri/contract';
import type { Api } from '../api';
import { describeTimeoutChain, timeoutChain } from '../core/timeout-chain';

const CONVENTIONS = `Manages the API tokens of the model gateway and reports their usage.

## Conventions

- **Credential**: \`Authorization: Bearer …\` with the administrator's secret. There are no cookies, hence no CSRF tokens. Browsers may call from the origins this environment lists (CORS).
- **Tenants**: every request about a token names its tenant; ids of another tenant are not found (404).
- **Strict**: unknown fields and parameters are refused (400), never ignored.
- **Refusals** are \`application/problem+json\` (RFC 9457); \`type\` is stable and made for programs.
- **Money** is US dollars as a decimal text, exact. **Moments** are ISO 8601; days and months are UTC.
- **Lists** come in pages: pass \`next_cursor\` back as \`cursor\` until it is null.
- **Request ids**: \`x-request-id\` is taken from you or made, and returned.
- **Retries**: reading and revoking may be repeated. A rotation happens once. Creating with an \`Idempotency-Key\` may be repeated: one token is made, and shown once. Without a key it is not repeatable: if an answer is lost, its token was never shown to anyone; revoke it.`;

/** Serves the OpenAPI document, made once from the routes themselves. */
export function addApiReference(api: Api, platform: PlatformConfiguration): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'adminToken', {
    type: 'http',
    scheme: 'bearer',
    description: "The administrator's secret.",
  });
  const document = {
    ...api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Matsuri management API',
        version: '1',
        description: `${CONVENTIONS}\n\n${describeTimeoutChain(platform.timeouts)}`,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'Tokens', description: 'Credentials of callers of the model gateway.' },
        { name: 'Usage', description: 'What was used and what it cost.' },
      ],
    }),
    'x-timeout-chain': timeoutChain(platform.timeouts).map(({ name, limitMs, meaning }) => ({
      name,
      limit_ms: limitMs,
      meaning,
    })),
  };
  api.get(PATHS.openapi, (c) => c.json(document));
}
