import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from './crc32';

test('knows the check value of the standard', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
});

test('agrees with zlib on any bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});
