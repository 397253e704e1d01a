import { z } from 'zod';

/** Scripts every stand-in can follow, whatever it stands in for. */
export const COMMON_SCRIPTS = ['ok', 'slow', 'hang', 'reset', 'invalid-json'] as const;

/** What one call meets: `slow` waits `delayMs` longer, the others are named for what they do. */
interface CallScript<Name extends string> {
  readonly name: Name;
  readonly delayMs: number;
}

/** How calls are met that no script was written for. */
export interface ConductSettings<Name extends string> {
  /** Before every answer. */
  readonly latencyMs: number;
  /** Up to so much more, evenly spread. */
  readonly jitterMs: number;
  /** Share of the calls that meet `failure`, from 0 to 1. */
  readonly failureRate: number;
  readonly failure: Name;
  /** What every other call meets. */
  readonly script: Name;
}

/** The behaviour of a stand-in, changeable while it runs. */
export interface Conduct<Name extends string> {
  settings(): ConductSettings<Name>;
  configure(change: Partial<ConductSettings<Name>>): void;
  /** Lets the next `times` calls follow a script, written `name` or `slow; delayMs=250`. */
  inject(script: string, times?: number): void;
  /** Forgets injected scripts and returns to the settings it began with. */
  clear(): void;
  /** What the next call meets; a script of its own comes first. */
  next(ownScript?: string): { readonly waitMs: number; readonly script: CallScript<Name> };
}

/** `random` draws jitter and failures from [0, 1). */
export function conduct<Name extends string>(
  names: readonly Name[],
  initial: ConductSettings<Name>,
  random: () => number,
): Conduct<Name> {
  let settings = initial;
  let injected: CallScript<Name>[] = [];
  const script = scriptSchema(names);
  const whole = settingsSchema(names);

  const drawn = (): Name => {
    const fails = settings.failureRate > 0 && random() < settings.failureRate;
    return fails ? settings.failure : settings.script;
  };

  return {
    settings: () => settings,
    configure(wanted) {
      settings = whole.parse({ ...settings, ...wanted });
    },
    inject(text, times = 1) {
      const parsed = script.parse(text);
      injected.push(...Array.from({ length: times }, () => parsed));
    },
    clear() {
      settings = initial;
      injected = [];
    },
    next(ownScript) {
      const own = ownScript === undefined ? injected.shift() : script.parse(ownScript);
      const followed = own ?? script.parse(drawn());
      const spreadMs = settings.jitterMs > 0 ? random() * settings.jitterMs : 0;
      const extraMs = followed.name === 'slow' ? followed.delayMs : 0;
      return { waitMs: settings.latencyMs + spreadMs + extraMs, script: followed };
    },
  };
}

const DEFAULT_SLOWNESS_MS = 2_000;

function scriptSchema<Name extends string>(names: readonly Name[]) {
  return z
    .string()
    .transform((text) => {
      const [name, ...settings] = text.split(';').map((part) => part.trim());
      const pairs = settings.filter(Boolean).map((setting): [string, string] => {
        const [key = '', value = ''] = setting.split('=');
        return [key, value];
      });
      return { ...Object.fromEntries(pairs), name };
    })
    .pipe(
      z.strictObject({
        name: z.enum(names),
        delayMs: z.coerce.number().min(0).default(DEFAULT_SLOWNESS_MS),
      }),
    );
}

function settingsSchema<Name extends string>(names: readonly Name[]) {
  return z.strictObject({
    latencyMs: z.number().min(0),
    jitterMs: z.number().min(0),
    failureRate: z.number().min(0).max(1),
    failure: z.enum(names),
    script: z.enum(names),
  });
}
