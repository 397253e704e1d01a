import type { PlatformConfiguration } from '../configuration/platform';
import { error, figure, type Contradiction } from './contradiction';

/** One heartbeat may be lost; the second must still arrive before anything on the way gives up. */
const BEATS_PER_TIMEOUT = 2;

/** A silent stream stays open only if heartbeats come faster than every idle timeout on its way. */
export function heartbeat(configuration: PlatformConfiguration): readonly Contradiction[] {
  const { timeouts, sessions } = configuration;
  const beats = [
    { name: 'timeouts.heartbeatMs', ms: timeouts.heartbeatMs },
    { name: 'sessions.pingSeconds', ms: sessions.pingSeconds * 1_000 },
  ];
  const patience = [
    { name: 'timeouts.edgeReadMs', ms: timeouts.edgeReadMs },
    { name: 'timeouts.edgeWebSocketIdleMs', ms: timeouts.edgeWebSocketIdleMs },
    { name: 'timeouts.albIdleMs', ms: timeouts.albIdleMs },
  ];
  return beats.flatMap((beat) =>
    patience
      .filter((idle) => beat.ms * BEATS_PER_TIMEOUT > idle.ms)
      .map((idle) =>
        error(
          'heartbeat-too-slow',
          `${beat.name} is ${figure(beat.ms)} ms, but ${idle.name} cuts a silent connection after ` +
            `${figure(idle.ms)} ms: one late heartbeat ends the stream.`,
          `Set ${beat.name} to at most ${figure(idle.ms / BEATS_PER_TIMEOUT)} ms, or raise ${idle.name}.`,
        ),
      ),
  );
}
