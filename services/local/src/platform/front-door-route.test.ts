import { roomOf } from './front-door-route';

test.each([
  ['/', 'page'],
  ['/assets/index-abc.js', 'page'],
  ['/v1/sessions', 'chat'],
  ['/v1/sessions/s1/ws?ticket=t', 'chat'],
  ['/v1/chat/completions', 'chat'],
  ['/v1/models/simple', 'chat'],
  ['/v1/tokens?tenant=mangaassist', 'api'],
  ['/v1/usage/summary', 'api'],
  ['/shop/chat-sessions', 'shop'],
  ['/status.json', 'status'],
  ['/v1/sessionsx', 'page'],
  ['/shopping', 'page'],
])('%s is for the %s', (url, room) => {
  expect(roomOf(url)).toBe(room);
});
