import { wallClock } from '@matsuri/contract';

const THOUSANDS = /\B(?=(\d{3})+(?!\d))/g;

/** A figure as people read it: whole, with thousands apart. */
export function figure(value: number): string {
  const whole = String(Math.round(value));
  return whole.length <= 3 ? whole : whole.replace(THOUSANDS, ',');
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function dollars(value: number): string {
  return `$${value.toFixed(2)}`;
}

/** A number of things: `1 task`, `2 tasks`. */
export function count(value: number, one: string): string {
  return `${figure(value)} ${one}${value === 1 ? '' : 's'}`;
}

/** `Mon 2026-11-30 00:00` on the wall clock of a zone. */
export function moment(atMs: number, timeZone: string): string {
  const clock = wallClock(atMs, timeZone);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = clock.weekday.charAt(0) + clock.weekday.slice(1).toLowerCase();
  return `${day} ${clock.year}-${two(clock.month)}-${two(clock.day)} ${two(clock.hour)}:${two(clock.minute)}`;
}
