import type { PlatformConfiguration } from '@matsuri/contract';

type Timeouts = PlatformConfiguration['timeouts'];

/** One limit on the way of a model call. */
export interface Rung {
  readonly name: string;
  readonly limitMs: number;
  readonly meaning: string;
}

/** The limits a model call passes, each shorter than the one that waits for it. */
export function timeoutChain(timeouts: Timeouts): readonly Rung[] {
  return [
    rung('connect', timeouts.connectMs, 'to reach the model'),
    rung(
      'first_content',
      timeouts.firstContentMs,
      'to the first text, tool-use or thinking delta of one target',
    ),
    rung(
      'request_deadline',
      timeouts.requestDeadlineMs,
      'to the first content, all targets together',
    ),
    rung(
      'first_content_thinking',
      timeouts.firstContentThinkingMs,
      'to the first content of one target, when the model thinks',
    ),
    rung(
      'request_deadline_thinking',
      timeouts.requestDeadlineThinkingMs,
      'to the first content, all targets together, when the model thinks',
    ),
    rung('chunk_gap', timeouts.chunkGapMs, 'silence between two chunks of a stream'),
    rung('non_streaming_total', timeouts.nonStreamingTotalMs, 'for a whole answer in one piece'),
    rung('load_balancer_idle', timeouts.albIdleMs, 'silence on the connection'),
    rung('keep_alive', timeouts.keepAliveMs, 'for an idle connection to the service'),
    rung('headers', timeouts.headersTimeoutMs, 'for the headers of a request'),
  ];
}

/** The chain as the API reference states it, with what to do about it. */
export function describeTimeoutChain(timeouts: Timeouts): string {
  const perThousand = timeouts.firstContentMsPerThousandInputTokens;
  return [
    '## Timeouts',
    '',
    'A call to a model passes these limits. Each is shorter than the one that waits for it, so what you see is what happened.',
    '',
    '| Limit | Seconds | Covers |',
    '| --- | --- | --- |',
    ...timeoutChain(timeouts).map(
      ({ name, limitMs, meaning }) => `| \`${name}\` | ${limitMs / 1_000} | ${meaning} |`,
    ),
    '',
    `The first-content limits grow by ${perThousand} ms per thousand input tokens.`,
    '',
    `**Stream long answers.** With \`"stream": true\` an answer has no total limit: only silence of ${timeouts.chunkGapMs / 1_000} s ends it, and ` +
      `a comment is sent every ${timeouts.heartbeatMs / 1_000} s in silence to keep every hop awake. Without streaming an answer that takes longer than ` +
      `${timeouts.nonStreamingTotalMs / 1_000} s is lost and the call fails with a clear error.`,
    '',
    '**Or fetch the answer later.** With the header `Prefer: respond-async` a call that is not streamed is answered at once with ' +
      '`202` and `{"task_id": …, "status": "pending"}`; `GET /v1/chat/completions/{task_id}` tells how far it is, and in the end has ' +
      `its \`result\` or its \`error\`. The same ${timeouts.nonStreamingTotalMs / 1_000} s hold, but no connection has to be kept for them.`,
  ].join('\n');
}

function rung(name: string, limitMs: number, meaning: string): Rung {
  return { name, limitMs, meaning };
}
