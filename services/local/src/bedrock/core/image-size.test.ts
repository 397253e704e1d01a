import { imageTokens, readImageSize } from './image-size';

const png = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 3, 0x20, 0, 0, 2, 0x58]),
]);
const gif = Buffer.from([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 10, 0, 20, 0]);
const jpeg = Buffer.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 30, 0, 40, 3, 0, 0,
]);
const webp = Buffer.alloc(30);
webp.write('RIFF', 0, 'latin1');
webp.write('WEBPVP8X', 8, 'latin1');
webp.writeUIntLE(99, 24, 3);
webp.writeUIntLE(49, 27, 3);

test.each([
  ['png', png, { width: 800, height: 600 }],
  ['gif', gif, { width: 10, height: 20 }],
  ['jpeg', jpeg, { width: 40, height: 30 }],
  ['webp', webp, { width: 100, height: 50 }],
] as const)('the size of a %s stands in its header', (format, bytes, size) => {
  expect(readImageSize(bytes, format)).toEqual(size);
});

test('bytes of another format, or cut short, have no size', () => {
  expect(readImageSize(png, 'jpeg')).toBeUndefined();
  expect(readImageSize(jpeg.subarray(0, 12), 'jpeg')).toBeUndefined();
});

test('an image costs a token per 750 pixels, at most 1,600', () => {
  expect(imageTokens({ width: 800, height: 600 })).toBe(640);
  expect(imageTokens({ width: 8_000, height: 8_000 })).toBe(1_600);
});
