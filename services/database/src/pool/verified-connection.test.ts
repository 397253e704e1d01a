import { verifiedConnection } from './verified-connection';

test('an address that asks for it gets a verified connection, with the authorities of Amazon RDS', () => {
  const { connectionString, ssl } = verifiedConnection(
    'postgres://a:b@h:5432/d?sslmode=verify-full',
  );
  expect(connectionString).toBe('postgres://a:b@h:5432/d');
  expect(ssl).toMatchObject({ rejectUnauthorized: true });
  const { ca } = ssl as { ca: string[] };
  expect(ca.length).toBeGreaterThan(100);
});

test('any other address is left as it is', () => {
  const address = 'postgres://a:b@127.0.0.1:5432/d';
  expect(verifiedConnection(address)).toEqual({ connectionString: address });
});
