import { MORNING_MS, buying, lastOf, run, throughput } from '../../test/cycles';
import { explain } from './explain';

test('says why the floor is what it is, who asked for what, and what happens if nobody renews it', () => {
  const { state, plan } = lastOf(
    run({
      configuration: buying,
      fromMs: MORNING_MS,
      cycles: 8,
      see: (cycle) => ({
        tasks: 42,
        inFlight: cycle < 7 ? 1_700 : 900,
        complex: 4_000,
        simple: 1_000,
        throughputs: [throughput({ units: 5 }), throughput({ alias: 'simple', units: 3 })],
        ...(cycle === 7 && { throttles: { complex: 4 } }),
      }),
    }),
  );
  expect(explain(state, plan).split('\n')).toEqual([
    '2026-06-09 01:01:10  emergency: 4 throttles of the complex model',
    '',
    'floor 42 tasks: hold at 42 (as asked): 5,000 tokens/s and 900 busy slots (1,567 over a minute) need 37 tasks',
    "  schedule    10  schedule 'morning-ramp' keeps 10 tasks",
    '> reactive    37  5,000 tokens/s and 900 busy slots (1,567 over a minute) need 37 tasks',
    '  predicted   31  5,000 tokens/s and 1,433 busy slots expected in 60 s need 31 tasks at 95 % full',
    '  held up by an ask for 42 tasks at 2026-06-09 01:00:00',
    '  unless renewed, AWS returns it to 10 at 2026-06-09 01:06:10',
    '',
    'complex model: 4,000 tokens/s, 80 % of 5,000 tokens/s by units, 80 % expected',
    '  5 units in service, 4 on their way: 4 throttles ask for 4 units above the 5 in service; buying 4',
    'simple model: 1,000 tokens/s, 17 % of 6,000 tokens/s by units, 17 % expected',
    '  3 units in service: the calendar asks for 3 units',
    'by the hour: tasks $2.59, units $23.99, tokens unknown',
    '',
    'mitigations, cache time 30 s:',
    '  coalesce        since 2026-06-09 01:01:10: 4 throttles of the complex model',
    'telemetry complete since 2026-06-09 01:00:00',
  ]);
});
