import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';

/** One question of a user. */
export function says(content: string): ChatCompletionMessageParam[] {
  return [{ role: 'user', content }];
}

export const LOOK_UP: ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'look_up_title',
    description: 'Finds a title of the catalogue',
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  },
};

/** The smallest picture there is. */
export const RED_PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** Everything a stream brings, once it has ended. */
export async function collected<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
