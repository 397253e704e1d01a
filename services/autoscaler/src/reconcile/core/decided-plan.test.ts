import { defaultConfiguration } from '@matsuri/contract';
import { snapshotAt } from '../../../test/cycles';
import { FRESH_STATE } from '../../core';
import { decided } from './decided-plan';

const at = (time: string) => Date.parse(`2026-06-09T${time}+09:00`);
const returnsTo = (time: string): number =>
  decided(FRESH_STATE, snapshotAt(at(time), {}), defaultConfiguration, at(time)).plan.tasks
    .returnsTo;

test.each([
  ['in the middle of the day: the schedule', '12:00:00', 10],
  ['just before the evening: what the evening asks for', '16:58:00', 30],
  ['just before the night: what the night asks for', '23:28:00', 10],
])('the floor decays to what the calendar asks for at that instant, %s', (_, time, floor) => {
  expect(returnsTo(time)).toBe(floor);
});
