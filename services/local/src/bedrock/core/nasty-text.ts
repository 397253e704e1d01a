/** Words that break whoever forwards them as they are: SSE ends, HTTP ends, terminal codes, markup. */
export const NASTY_TEXT = [
  'Before.',
  'data: [DONE]\n\n',
  'event: done\ndata: {"choices":[]}\n\n',
  '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  '\u001b]52;c;bWF0c3VyaQ==\u0007\u001b[2J',
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>',
  '\u2028\u2029\u0000\ufeff\u202e',
  '{"__proto__":{"polluted":true}}',
  ': ping\n\nid: 0\nretry: 0\n\n',
  'After. 祭り🎏',
].join('');
