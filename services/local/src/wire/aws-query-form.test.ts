import fc from 'fast-check';

import { parseQueryForm } from './aws-query-form';
import { toXml } from './aws-query-xml';

test('numbered members become lists, in their order', () => {
  const form =
    'TargetGroupArn=arn&Targets.member.2.Id=b&Targets.member.1.Id=a&Targets.member.1.Port=80';
  expect(parseQueryForm(form)).toEqual({
    TargetGroupArn: 'arn',
    Targets: [{ Id: 'a', Port: '80' }, { Id: 'b' }],
  });
});

test('ten and more members keep numeric order', () => {
  const form = Array.from({ length: 12 }, (_, i) => `L.member.${i + 1}=v${i + 1}`).join('&');
  expect(parseQueryForm(form)).toEqual({ L: Array.from({ length: 12 }, (_, i) => `v${i + 1}`) });
});

test('text comes back whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const form = new URLSearchParams({ 'A.B': text }).toString();
      expect(parseQueryForm(form)).toEqual({ A: { B: text } });
    }),
  );
});

test('XML escapes text and leaves out what is undefined', () => {
  expect(toXml({ A: '<&>', B: undefined, C: [1, { D: true }] })).toBe(
    '<A>&lt;&amp;&gt;</A><C><member>1</member><member><D>true</D></member></C>',
  );
});
