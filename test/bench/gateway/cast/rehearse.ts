import { request } from 'undici';

import type { Wire } from '../load/content-counter';
import type { Target } from '../load/orders';
import { SHAPES } from '../plan';
import type { Shape } from '../plan';

const TEXTS: Readonly<Record<Wire, RegExp>> = {
  openai: /"content":("(?:[^"\\]|\\.)*")/g,
  converse: /"text":("(?:[^"\\]|\\.)*")/g,
};

/**
 * One question to every system, whole and streamed. All must say what the model said: a system that answers
 * quickly but wrongly, or from memory, is not measured.
 */
export async function rehearse(targets: readonly Target[]): Promise<void> {
  const [first, ...others] = targets;
  if (first === undefined) return;
  const expected = await answerOf(first, 'json');
  if (expected === '') throw new Error(`${first.name} says nothing`);
  for (const target of [first, ...others]) {
    for (const shape of SHAPES) {
      const said = await answerOf(target, shape);
      if (said !== expected) {
        throw new Error(`${target.name} (${shape}) says ${JSON.stringify(said)}, not ${expected}`);
      }
    }
  }
}

async function answerOf(target: Target, shape: Shape): Promise<string> {
  const { path, headers, bodies } = target.requests[shape];
  const answer = await request(`${target.origin}${path}`, {
    method: 'POST',
    headers,
    body: bodies[0] ?? '',
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) {
    throw new Error(`${target.name} (${shape}) answers ${answer.statusCode}: ${text}`);
  }
  return spokenText(target.wire, text);
}

/** The model's words in an answer, streamed or whole. */
function spokenText(wire: Wire, body: string): string {
  return Array.from(body.matchAll(TEXTS[wire]), ([, literal = '""']) =>
    String(JSON.parse(literal)),
  ).join('');
}
