import type { AnswerBlock, ModelAnswer } from '../../core/model-event';
import { listMember, member, stringMember } from './json-member';
import { readStopReason } from './stop-reason';
import { readTokenUsage } from './token-usage';
import { brokenReply } from './upstream-failure';

/** Reads the reply of Converse; throws `ModelCallError` on one that is no whole answer. */
export function readConverseAnswer(body: Buffer): ModelAnswer {
  const reply = parseReply(body);
  const message = member(member(reply, 'output'), 'message');
  const usage = readTokenUsage(reply);
  if (message === undefined) throw brokenReply('it holds no message');
  if (usage === undefined) throw brokenReply('it does not state its usage');
  return {
    blocks: listMember(message, 'content').flatMap((block) => readBlock(block) ?? []),
    stopReason: readStopReason(reply),
    usage,
  };
}

/** A reply's body as a value; throws `ModelCallError` where it is not JSON. */
export function parseReply(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw brokenReply('it is not JSON', cause);
  }
}

function readBlock(block: unknown): AnswerBlock | undefined {
  const text = stringMember(block, 'text');
  if (text !== undefined) return { type: 'text', text };
  const thought = member(member(block, 'reasoningContent'), 'reasoningText');
  const thinking = stringMember(thought, 'text');
  if (thinking !== undefined) return { type: 'thinking', text: thinking };
  return readToolUse(member(block, 'toolUse'));
}

function readToolUse(toolUse: unknown): AnswerBlock | undefined {
  const id = stringMember(toolUse, 'toolUseId');
  const name = stringMember(toolUse, 'name');
  if (id === undefined || name === undefined) return undefined;
  const inputJson = JSON.stringify(member(toolUse, 'input') ?? {});
  return { type: 'tool-use', id, name, inputJson };
}
