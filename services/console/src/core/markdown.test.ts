import fc from 'fast-check';

import { markdown } from './markdown';
import { visibleText } from './visible-text';

test('paragraphs, lists, headings, quotes and code are told apart', () => {
  const source =
    '# おすすめ\n一行目\n二行目\n\n- **灯火の町**\n- `code`\n\n1. 一\n2. 二\n> 引用\n```js\n<b>x</b>\n```';
  expect(markdown(source)).toEqual([
    { kind: 'heading', content: [{ kind: 'text', text: 'おすすめ' }] },
    {
      kind: 'paragraph',
      lines: [[{ kind: 'text', text: '一行目' }], [{ kind: 'text', text: '二行目' }]],
    },
    {
      kind: 'list',
      ordered: false,
      items: [[{ kind: 'strong', text: '灯火の町' }], [{ kind: 'code', text: 'code' }]],
    },
    {
      kind: 'list',
      ordered: true,
      items: [[{ kind: 'text', text: '一' }], [{ kind: 'text', text: '二' }]],
    },
    { kind: 'quote', lines: [[{ kind: 'text', text: '引用' }]] },
    { kind: 'code', text: '<b>x</b>' },
  ]);
});

test('what is not finished yet is text', () => {
  expect(markdown('とても**大事')).toEqual([
    { kind: 'paragraph', lines: [[{ kind: 'text', text: 'とても**大事' }]] },
  ]);
  expect(markdown('```\nhalf')).toEqual([{ kind: 'code', text: 'half' }]);
});

const inlines = (source: string) =>
  markdown(source).flatMap((block) => (block.kind === 'paragraph' ? block.lines.flat() : []));

test('an image is offered as a link, never loaded; a script is no link at all', () => {
  expect(inlines('![x](https://evil.example/p.png?q=secret)')).toEqual([
    { kind: 'link', text: 'x', url: 'https://evil.example/p.png?q=secret' },
  ]);
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', '//evil.example']) {
    expect(inlines(`[x](${url})`)).toEqual([{ kind: 'text', text: `[x](${url})` }]);
  }
});

test('citations point at sources', () => {
  expect(inlines('『灯火の町』[2]です')).toEqual([
    { kind: 'text', text: '『灯火の町』' },
    { kind: 'citation', number: 2 },
    { kind: 'text', text: 'です' },
  ]);
});

test('tags of HTML are words like any other', () => {
  expect(inlines('<img src=x onerror=alert(1)></script>')).toEqual([
    { kind: 'text', text: '<img src=x onerror=alert(1)></script>' },
  ]);
});

test('invisible code points do not reach the page', () => {
  expect(visibleText('a\u200bb\u{e0041}c\u202ed\u001b]52;e\ufe0f\r\nf')).toBe('abcd]52;e\nf');
});

test('any text at all is read, and none of its words is lost', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '*',
      '**',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '!',
      '#',
      '>',
      '- ',
      '1. ',
      '\n',
      '[1]',
    ),
    fc.stringMatching(/^[a-z]{1,5}$/),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const source = pieces.join('');
      const shown = JSON.stringify(markdown(source));
      // The line after an opening fence names a language, which is not shown.
      for (const [word] of source.replace(/^ {0,3}```.*$/gm, '').matchAll(/[a-z]+/g))
        expect(shown).toContain(word);
    }),
  );
});
