import type { Dispatcher } from 'undici';

import { DELTAS } from '../plan';
import type { Shape } from '../plan';
import { ContentCounter } from './content-counter';
import type { Wire } from './content-counter';

export type ExchangeOutcome =
  | { readonly kind: 'good'; readonly wholeMs: number; readonly firstContentMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

interface ExchangeOptions {
  readonly wire: Wire;
  readonly shape: Shape;
  /** When the request should have gone out, on the clock of `performance.now`. */
  readonly intendedAtMs: number;
  readonly onEnd: (outcome: ExchangeOutcome) => void;
}

/** One request and its answer, timed from the moment it was due and checked to be whole. */
export class Exchange implements Dispatcher.DispatchHandler {
  private status = 0;
  private bytes = 0;
  private refusal = '';
  private firstContentAtMs: number | undefined;
  private readonly content: ContentCounter | undefined;

  constructor(private readonly options: ExchangeOptions) {
    this.content = options.shape === 'sse' ? new ContentCounter(options.wire) : undefined;
  }

  /** undici asks for it; there is nothing to do. */
  onRequestStart(): void {
    return;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.status !== 200) this.refusal += chunk.toString();
    if (this.content === undefined) return;
    this.content.take(chunk);
    if (this.content.count > 0) this.firstContentAtMs ??= performance.now();
  }

  onResponseEnd(): void {
    const endedAtMs = performance.now();
    const { intendedAtMs, onEnd } = this.options;
    const reason = this.whatIsWrong();
    if (reason !== undefined) {
      onEnd({ kind: 'failed', reason });
      return;
    }
    onEnd({
      kind: 'good',
      wholeMs: endedAtMs - intendedAtMs,
      firstContentMs: (this.firstContentAtMs ?? endedAtMs) - intendedAtMs,
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error ? String(error.code) : error.name;
    this.options.onEnd({ kind: 'failed', reason: code });
  }

  private whatIsWrong(): string | undefined {
    if (this.status !== 200) return `status ${this.status} ${messageIn(this.refusal)}`.trim();
    if (this.bytes === 0) return 'empty answer';
    if (this.content !== undefined && this.content.count !== DELTAS) {
      return `${this.content.count} deltas`;
    }
    return undefined;
  }
}

/** The sentence of an error answer, in any of the shapes our systems give it. */
function messageIn(answer: string): string {
  return /"message":"([^"]{0,200})/i.exec(answer)?.[1] ?? '';
}
