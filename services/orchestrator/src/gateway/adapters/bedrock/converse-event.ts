import type { ModelEvent } from '../../core/model-event';
import { countMember, member, stringMember } from './json-member';
import { readStopReason } from './stop-reason';
import { readTokenUsage } from './token-usage';
import { brokenReply } from './upstream-failure';

/** What an event of ConverseStream says in the gateway's words; undefined for what the gateway has no use for. */
export function readConverseEvent(type: string, payload: string): ModelEvent | undefined {
  switch (type) {
    case 'contentBlockDelta':
      return readDelta(parse(payload));
    case 'contentBlockStart':
      return readBlockStart(parse(payload));
    case 'contentBlockStop':
      return { type: 'block-stop', index: indexOf(parse(payload)) };
    case 'messageStart':
      return { type: 'start' };
    case 'messageStop':
      return { type: 'stop', reason: readStopReason(parse(payload)) };
    case 'metadata':
      return readUsage(parse(payload));
    default:
      return undefined;
  }
}

function readDelta(event: unknown): ModelEvent | undefined {
  const delta = member(event, 'delta');
  const text = stringMember(delta, 'text');
  if (text !== undefined) return { type: 'text', index: indexOf(event), text };
  const json = stringMember(member(delta, 'toolUse'), 'input');
  if (json !== undefined) return { type: 'tool-input', index: indexOf(event), json };
  // Signatures and redacted thoughts mean something to Bedrock only.
  const thought = stringMember(member(delta, 'reasoningContent'), 'text');
  if (thought !== undefined) return { type: 'thinking', index: indexOf(event), text: thought };
  return undefined;
}

function readBlockStart(event: unknown): ModelEvent | undefined {
  const toolUse = member(member(event, 'start'), 'toolUse');
  const id = stringMember(toolUse, 'toolUseId');
  const name = stringMember(toolUse, 'name');
  if (id === undefined || name === undefined) return undefined;
  return { type: 'tool-start', index: indexOf(event), id, name };
}

function readUsage(event: unknown): ModelEvent | undefined {
  const usage = readTokenUsage(event);
  return usage && { type: 'usage', usage };
}

function indexOf(event: unknown): number {
  return countMember(event, 'contentBlockIndex');
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch (cause) {
    throw brokenReply('an event is not JSON', cause);
  }
}
