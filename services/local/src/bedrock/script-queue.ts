import { z } from 'zod';

import { AwsError } from '../wire/aws-error';
import { drawScript, ruleMatches } from './core/script-choice';
import type { ScriptedCall, ScriptMix, ScriptRule } from './core/script-choice';
import { parseScriptHeader } from './core/scripts';
import type { Script } from './core/scripts';

/** Decides by which script a call is treated: its header, else a waiting rule, else the mix. */
export interface ScriptQueue {
  choose(call: ScriptedCall, header: string | undefined): Script;
  add(rule: ScriptRule): void;
  mix(mix: ScriptMix | undefined): void;
  clear(): void;
}

export function createScriptQueue(fallback: Script, initialMix?: ScriptMix): ScriptQueue {
  let waiting: { readonly rule: ScriptRule; left: number }[] = [];
  let mix = initialMix;
  let drawn = 0;

  const takeRule = (call: ScriptedCall): Script | undefined => {
    const found = waiting.find(({ rule }) => ruleMatches(rule, call));
    if (!found) return undefined;
    found.left -= 1;
    if (found.left === 0) waiting = waiting.filter((entry) => entry !== found);
    return found.rule.script;
  };

  const draw = (): Script | undefined => {
    if (!mix) return undefined;
    drawn += 1;
    return drawScript(mix, drawn);
  };

  const choose = (call: ScriptedCall): Script => takeRule(call) ?? draw() ?? fallback;

  return {
    choose(call, header) {
      const script = header === undefined ? choose(call) : readHeader(header);
      return script.tokens === undefined ? { ...script, tokens: fallback.tokens } : script;
    },
    add: (rule) => void waiting.push({ rule, left: rule.times }),
    mix(replacement) {
      mix = replacement;
      drawn = 0;
    },
    clear() {
      waiting = [];
      mix = undefined;
      drawn = 0;
    },
  };
}

function readHeader(header: string): Script {
  try {
    return parseScriptHeader(header);
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause);
    throw new AwsError('ValidationException', `x-standin-script cannot be read: ${reason}`);
  }
}
