import { sleep, type Clock } from '@matsuri/resilience';
import type { Generation, GenerationEvent } from './generation';
import type { DistantStream, SharedEntry } from './shared-streams';
import { NOTHING_USED } from './usage-part';

/** The task that made a shared answer has gone, or has given it up, in the middle of it. */
export class SharedStreamLostError extends Error {
  override readonly name = 'SharedStreamLostError';
}

const LOOK_EVERY_MS = 50;
/** The leader is told this often that somebody reads, and looked after. */
const ATTEND_EVERY_MS = 1_000;

/** What another task says, as a generation of this one; `undefined`: it came to an end before it began. */
export async function distantGeneration(
  stream: DistantStream,
  signal: AbortSignal,
  clock: Clock,
): Promise<Generation | undefined> {
  const entries = entriesOf(stream, signal, clock);
  const first = await entries.next();
  if (first.done === true || first.value.type !== 'begin') return undefined;
  const { model, servedBy, sources, degraded, rung } = first.value;
  return {
    kind: 'generating',
    model,
    servedBy,
    sources,
    degraded,
    rung,
    followed: true,
    events: eventsOf(entries, signal),
  };
}

async function* eventsOf(
  entries: AsyncGenerator<SharedEntry>,
  signal: AbortSignal,
): AsyncGenerator<readonly GenerationEvent[]> {
  let cause: unknown;
  try {
    for await (const entry of entries) {
      if (entry.type === 'text') yield [entry];
      if (entry.type === 'end') {
        yield [{ ...entry, usage: { ...NOTHING_USED, estimated: false } }];
        return;
      }
      if (entry.type === 'broken') break;
    }
  } catch (error) {
    signal.throwIfAborted();
    cause = error;
  }
  throw new SharedStreamLostError('a shared answer broke off at another task', { cause });
}

/** Every entry as it comes; ends where nobody leads any more. */
async function* entriesOf(
  stream: DistantStream,
  signal: AbortSignal,
  clock: Clock,
): AsyncGenerator<SharedEntry> {
  let attendAtMs = clock.nowMs() + ATTEND_EVERY_MS;
  for (;;) {
    const isDue = clock.nowMs() >= attendAtMs;
    // Asked before what was said is read: then nothing that a leader said before it went is missed.
    const isLed = !isDue || (await stream.isLed());
    if (isDue) {
      attendAtMs = clock.nowMs() + ATTEND_EVERY_MS;
      await stream.attend();
    }
    yield* await stream.read();
    if (!isLed) return;
    await sleep(LOOK_EVERY_MS, clock, signal);
  }
}
