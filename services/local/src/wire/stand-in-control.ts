import { z } from 'zod';

import { jsonReply } from './stand-in-call';
import type { StandInCall, StandInReply } from './stand-in-call';
import type { Conduct } from './stand-in-conduct';

/** First path segment of the calls that steer a stand-in. */
export const CONTROL_PATH = '_standin';

const injection = z.strictObject({
  script: z.string(),
  times: z.int().positive().max(1_000_000).default(1),
});

/**
 * Steers a stand-in over HTTP: `GET` and `POST /_standin/conduct` read and change its settings,
 * `POST /_standin/scripts` lets the next calls follow a script, `DELETE /_standin` undoes both.
 */
export function control<Name extends string>(
  conduct: Conduct<Name>,
  { method, path, body }: StandInCall,
): StandInReply {
  try {
    switch (`${method} ${path.slice(1).join('/')}`) {
      case 'GET conduct':
        return jsonReply(200, conduct.settings());
      case 'POST conduct':
        conduct.configure(z.looseObject({}).parse(JSON.parse(body.toString('utf8'))));
        return jsonReply(200, conduct.settings());
      case 'POST scripts': {
        const { script, times } = injection.parse(JSON.parse(body.toString('utf8')));
        conduct.inject(script, times);
        return jsonReply(200, { script, times });
      }
      case 'DELETE ':
        conduct.clear();
        return jsonReply(200, conduct.settings());
      default:
        return jsonReply(404, { error: `No control at ${method} /${path.join('/')}` });
    }
  } catch (error) {
    return jsonReply(400, { error: error instanceof Error ? error.message : String(error) });
  }
}
