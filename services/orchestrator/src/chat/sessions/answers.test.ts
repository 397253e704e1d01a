import { eventually } from '../../../test/eventually';
import { Answers } from './answers';
import { Door } from './door';
import { asked, IDLE_GATEWAY, Listener, newSession } from './testing/answers-task';
import { FakeAnswerer } from './testing/fake-answerer';

let answerer: FakeAnswerer;
let door: Door;
let answers: Answers;

/** There is room for one answer. */
beforeEach(() => {
  answerer = new FakeAnswerer();
  const shed = { shedAtLoopDelayMs: 10_000, maxConnections: 10, onShed: () => undefined };
  door = new Door({ slots: 1, maxInHand: 1, maxQueueMs: 1, gateway: IDLE_GATEWAY, ...shed });
  const log = { debug: () => undefined, warn: () => undefined, error: () => undefined };
  const settings = { detachedSeconds: 15, frameRetentionSeconds: 300 };
  answers = new Answers({ answerer, door, settings, log, onBegun: () => undefined });
});
afterEach(async () => {
  door.close();
  await answers.close();
});

const delta = (text: string) => ({ type: 'delta', text }) as const;
const FULL = { kind: 'refused', code: 'overloaded' };
const BROKEN = new Error('broken');

/** Takes so many times, and no more. */
class Broken extends Listener {
  #left: number;

  constructor(takes: number) {
    super();
    this.#left = takes;
  }

  override take(...frames: Parameters<Listener['take']>): void {
    this.#left -= 1;
    if (this.#left < 0) throw BROKEN;
    super.take(...frames);
  }
}

test('an answer holds its place until it is over', async () => {
  await answers.ask(asked(newSession(), 'm1'), new Listener());
  expect(await answers.ask(asked(newSession(), 'm1'), new Listener())).toMatchObject(FULL);
  (await answerer.asked()).finish();
  await answers.idle();
  const next = await answers.ask(asked(newSession(), 'm1'), new Listener());
  expect(next).toMatchObject({ kind: 'following' });
});

test('a message whose answer cannot even begin leaves nothing behind', async () => {
  const session = newSession();
  await expect(answers.ask(asked(session, 'm1'), new Broken(0))).rejects.toBe(BROKEN);
  expect(answers.running).toBe(0);
  const next = await answers.ask(asked(session, 'm2'), new Listener());
  expect(next).toMatchObject({ kind: 'following' });
});

test('a reader that breaks takes neither the answer nor its place along', async () => {
  const session = newSession();
  await answers.ask(asked(session, 'm1'), new Broken(1));
  const listener = new Listener();
  await answers.ask(asked(session, 'm1'), listener);
  const answer = await answerer.asked();
  answer.say(delta('all '));
  answer.say(delta('of it'));
  answer.finish();
  await answers.idle();
  expect(listener.text).toBe('all of it');
  expect(listener.frames.at(-1)).toMatchObject({ type: 'done', finish: 'stop' });
  const next = await answers.ask(asked(newSession(), 'm1'), new Listener());
  expect(next).toMatchObject({ kind: 'following' });
});

test('an answerer that breaks off ends its answer and gives its place back', async () => {
  jest.spyOn(answerer, 'answer').mockImplementationOnce(() => {
    throw BROKEN;
  });
  const listener = new Listener();
  await answers.ask(asked(newSession(), 'm1'), listener);
  await eventually(() => listener.heard.at(-1)?.terminal);
  await answers.idle();
  const next = await answers.ask(asked(newSession(), 'm1'), new Listener());
  expect(next).toMatchObject({ kind: 'following' });
});

test('messages of one session that come in one breath are decided one after the other', async () => {
  const session = newSession();
  const asks = ['m1', 'm2', 'm1'].map((id) => answers.ask(asked(session, id), new Listener()));
  expect(await Promise.all(asks)).toMatchObject([
    { kind: 'following' },
    { kind: 'refused', code: 'busy' },
    { kind: 'following' },
  ]);
  expect(answerer.answers).toHaveLength(1);
});
