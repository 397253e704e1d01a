import { execFileSync } from 'node:child_process';
import { EngineUnavailableError } from '../errors';

const ACCOUNT = 'nobody';

/**
 * Whom PostgreSQL runs as: it refuses root. `nobody` is on every Unix and owns nothing, so no account is
 * created, and no real cluster of this machine is within its reach. `undefined`: as ourselves.
 */
export function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch (cause) {
    const advice = `run as another user, create the account "${ACCOUNT}", or set DATABASE_URL`;
    throw new EngineUnavailableError(`PostgreSQL refuses to run as root: ${advice}.`, { cause });
  }
}

function id(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, ACCOUNT], { encoding: 'utf8', stdio: 'pipe' }));
}
