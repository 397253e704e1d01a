import type { Conversation } from './conversation';

/** A price one can read: cents get two digits, fractions of a cent as many as they need. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0';
  if (amount >= 0.1) return `$${amount.toFixed(2)}`;
  return `$${Number(amount.toPrecision(2)).toFixed(6).replace(/0+$/, '')}`;
}

export function count(amount: number): string {
  return amount.toLocaleString('en-US');
}

/** What the conversation has cost so far. */
export function totalDollars({ turns }: Conversation): number {
  return turns.reduce((sum, { answer }) => sum + (answer.usage?.dollars ?? 0), 0);
}

/** What people call a model: `jp.anthropic.claude-sonnet-5@ap-northeast-1` is `claude-sonnet-5`. */
export function modelName(id: string): string {
  const [profile = id] = id.split('@');
  const [name = profile] = /[^.]+$/.exec(profile) ?? [];
  return name.replace(/(?:-\d{8})?-v\d+(?::\d+)?$/, '');
}
