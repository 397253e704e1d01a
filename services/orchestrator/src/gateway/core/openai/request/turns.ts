import type { ContentBlock, ModelMessage } from '../../model-request';

/** Stands before an assistant that speaks first, as one that greets does: Converse lets the user begin. */
const OPENING: ContentBlock = { type: 'text', text: '(The assistant speaks first.)' };

/** Turns that alternate: what one side says in several messages becomes one turn. */
export class Turns {
  private readonly turns: {
    readonly role: ModelMessage['role'];
    readonly content: ContentBlock[];
  }[] = [];

  add(role: ModelMessage['role'], blocks: readonly ContentBlock[]): void {
    if (blocks.length === 0) return;
    if (this.isEmpty() && role === 'assistant')
      this.turns.push({ role: 'user', content: [OPENING] });
    const last = this.turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.turns.push({ role, content: [...blocks] });
  }

  isEmpty(): boolean {
    return this.turns.length === 0;
  }

  list(): readonly ModelMessage[] {
    return this.turns;
  }
}
