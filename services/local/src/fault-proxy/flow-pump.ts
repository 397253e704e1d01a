import type { Socket } from 'node:net';
import { nextStep } from './core/next-step';
import type { Parcel } from './core/next-step';
import type { Random } from './core/random';
import type { Ending, Toxic } from './core/toxic';
import { createNudge } from './nudge';
import { readAhead } from './read-ahead';

export interface FlowPumpOptions {
  readonly from: Socket;
  readonly to: Socket;
  readonly random: Random;
  /** The toxics on this direction now. */
  readonly toxics: () => readonly Toxic[];
  readonly onPassed: (bytes: number) => void;
  /** Ends the connection by force, which stops this pump. */
  readonly cut: (ending: Ending) => void;
}

/** Carries one direction of a connection. */
export interface FlowPump {
  readonly bufferedBytes: number;
  /** The toxics are different now. */
  reconsider(): void;
  stop(): void;
}

/** Starts carrying: what one socket says, the other hears, as the toxics allow. */
export function pumpFlow({ from, to, random, ...options }: FlowPumpOptions): FlowPump {
  const bell = createNudge();
  const waiting = readAhead(from, random, () => bell.nudge());
  const passedUnder = new Map<Toxic, number>();
  let notBeforeMs = 0;
  let stopped = false;

  const count = (bytes: number): void => {
    options.onPassed(bytes);
    for (const toxic of options.toxics()) {
      if (toxic.type !== 'limit_data') continue;
      passedUnder.set(toxic, (passedUnder.get(toxic) ?? 0) + bytes);
    }
  };
  const pass = async (kind: Parcel['kind'], bytes: number): Promise<void> => {
    const piece = waiting.take(bytes);
    if (to.destroyed) return;
    if (kind === 'end') to.end();
    if (kind === 'reset') to.resetAndDestroy();
    if (kind !== 'data') return;
    count(bytes);
    if (!to.write(piece)) await drained(to);
  };
  const takeStep = async (head: Parcel): Promise<void> => {
    const nowMs = performance.now();
    const flow = { toxics: options.toxics(), passedUnder, notBeforeMs };
    const step = nextStep(head, flow, nowMs, random);
    switch (step.kind) {
      case 'hold':
        await bell.sleep();
        break;
      case 'wait':
        await bell.sleep(step.untilMs - nowMs);
        break;
      case 'cut':
        options.cut(step.ending);
        break;
      case 'pass':
        notBeforeMs = step.thenNotBeforeMs;
        await pass(head.kind, step.bytes);
        if (step.thenCut !== undefined) options.cut(step.thenCut);
    }
  };
  const carry = async (): Promise<void> => {
    while (!stopped) await (waiting.head === undefined ? bell.sleep() : takeStep(waiting.head));
  };
  void carry();

  return {
    get bufferedBytes() {
      return waiting.bufferedBytes;
    },
    reconsider() {
      notBeforeMs = 0;
      bell.nudge();
    },
    stop() {
      stopped = true;
      waiting.stop();
      bell.nudge();
    },
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      socket.off('drain', settle).off('close', settle);
      resolve();
    };
    socket.on('drain', settle).on('close', settle);
  });
}
