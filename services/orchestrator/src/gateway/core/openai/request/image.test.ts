import { accepted, refused, text, user } from '../test/samples';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF\0\x01', 'latin1');
const GIF = Buffer.from('GIF89a\x01\0\x01\0\0\0', 'latin1');
const WEBP = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\0\0', 'latin1');

const dataUrl = (bytes: Buffer, type = 'image/png') =>
  `data:${type};base64,${bytes.toString('base64')}`;
const image = (url: unknown) => ({ type: 'image_url', image_url: { url, detail: 'high' } });
const asking = (...parts: object[]) => ({ messages: [user([text('What is this?'), ...parts])] });

test.each([
  ['png', PNG],
  ['jpeg', JPEG],
  ['gif', GIF],
  ['webp', WEBP],
])('a %s image is known by its bytes, whatever it is called', (format, bytes) => {
  for (const type of ['image/png', 'image/jpg', 'IMAGE/WEBP']) {
    const [turn] = accepted(asking(image(dataUrl(bytes, type)))).request.messages;
    expect(turn?.content[1]).toEqual({ type: 'image', format, base64: bytes.toString('base64') });
  }
});

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://example.com/cat.png',
  'file:///etc/passwd',
  'ftp://example.com/cat.png',
  '//example.com/cat.png',
  'gopher://localhost:6379/_FLUSHALL',
  'cat.png',
  '',
])('the URL %j is refused: nothing is fetched for a caller', (url) => {
  expect(refused(asking(image(url)))).toMatchObject({
    status: 400,
    error: { param: 'messages[0].content[1].image_url.url', code: 'invalid_image_url' },
  });
});

test.each([
  ['svg', 'data:image/svg+xml;base64,PHN2Zy8+', 'invalid_image_format'],
  ['html', 'data:text/html;base64,PGI+', 'invalid_image_format'],
  ['no base64', 'data:image/png,abcd', 'invalid_image_format'],
  ['other bytes under an image name', dataUrl(Buffer.from('%PDF-1.7 ...')), 'invalid_image_format'],
  ['broken base64', 'data:image/png;base64,iVBORw0KGgo*', 'invalid_base64_image'],
  ['missing padding', 'data:image/png;base64,iVBORw0KGgoAA', 'invalid_base64_image'],
  ['a line break', 'data:image/png;base64,iVBO\nRw0', 'invalid_base64_image'],
  ['nothing', 'data:image/png;base64,', 'empty_image_file'],
  ['too many bytes', dataUrl(Buffer.concat([PNG, Buffer.alloc(3_932_160)])), 'image_too_large'],
])('an image of %s is refused', (_, url, code) => {
  expect(refused(asking(image(url))).error).toMatchObject({
    param: 'messages[0].content[1].image_url.url',
    code,
  });
});

test('the largest image is taken', () => {
  const largest = Buffer.concat([PNG, Buffer.alloc(3_932_160 - PNG.length)]);
  expect(accepted(asking(image(dataUrl(largest)))).ok).toBe(true);
});

test('twenty images fit into a turn, one more does not', () => {
  const images = (count: number) => Array.from({ length: count }, () => image(dataUrl(PNG)));
  expect(accepted(asking(...images(20))).ok).toBe(true);
  expect(refused(asking(...images(21))).error.message).toContain('too many images');
});
