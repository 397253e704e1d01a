import type { ContentBlock } from '../../model-request';
import { shown } from '../refusal/shown';
import { InvalidRequestError } from './invalid-request-error';

type ImageBlock = Extract<ContentBlock, { type: 'image' }>;
type ImageFormat = ImageBlock['format'];

/** What Converse takes. */
const LARGEST_IMAGE_BYTES = 3_932_160;
export const MOST_IMAGES_PER_TURN = 20;

const DATA_URL_HEAD = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;
const LONGEST_HEAD = 32;
// Looks for one wrong character: a pattern for the whole would backtrack, and millions of characters deep that overflows the stack.
const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const PADDING = /={0,2}$/;

/**
 * An image given in the request itself. Any other URL is refused: fetching what callers name would let them
 * reach whatever this server can reach.
 */
export function readImage(url: string, param: string): ImageBlock {
  const head = DATA_URL_HEAD.exec(url.slice(0, LONGEST_HEAD))?.[0];
  if (head === undefined) throw refusedUrl(url, param);
  const base64 = url.slice(head.length);
  checkSize(base64.length, param);
  if (base64.length % 4 !== 0 || NOT_BASE64.test(unpadded(base64))) {
    throw fault(param, 'invalid_base64_image', 'The image data is not valid base64.');
  }
  const format = sniffFormat(base64);
  if (format === undefined) throw unsupportedFormat(param);
  return { type: 'image', format, base64 };
}

function unpadded(base64: string): string {
  return base64.slice(0, -4) + base64.slice(-4).replace(PADDING, '');
}

function checkSize(base64Length: number, param: string): void {
  if (base64Length === 0) throw fault(param, 'empty_image_file', 'The image is empty.');
  if ((base64Length / 4) * 3 > LARGEST_IMAGE_BYTES + 2) {
    const message = `The image is too large. The maximum is ${LARGEST_IMAGE_BYTES} bytes.`;
    throw fault(param, 'image_too_large', message);
  }
}

/** What the bytes say counts, not what their sender calls them: models refuse an image under a wrong name. */
function sniffFormat(base64: string): ImageFormat | undefined {
  const start = Buffer.from(base64.slice(0, 16), 'base64').toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'webp';
  return undefined;
}

function refusedUrl(url: string, param: string): InvalidRequestError {
  if (url.startsWith('data:')) return unsupportedFormat(param);
  const message =
    `Invalid image URL: '${shown(url)}'. This service downloads nothing: ` +
    'send the image itself as a data URL (data:image/png;base64,…).';
  return fault(param, 'invalid_image_url', message);
}

function unsupportedFormat(param: string): InvalidRequestError {
  const message =
    "You uploaded an unsupported image. Please make sure your image has one of the following formats: ['png', 'jpeg', 'gif', 'webp'], as base64.";
  return fault(param, 'invalid_image_format', message);
}

function fault(param: string, code: string, message: string): InvalidRequestError {
  return new InvalidRequestError(message, param, code);
}
