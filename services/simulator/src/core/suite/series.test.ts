import { steady, tinyWorkload } from '../../../test/tiny-workloads';
import { sceneOf } from '../platform/scene';
import { simulate } from '../platform/simulate';
import { POLICIES } from '../policies/policies';
import { SeriesRecorder } from './series';

function seriesOf(seconds: number) {
  const workload = tinyWorkload({ arrivals: steady(10, seconds), slotsPerTask: 4 });
  const scene = sceneOf(workload, { startUp: { seconds: 50 } });
  const recorder = new SeriesRecorder(scene);
  simulate(scene, POLICIES.static_peak(scene), recorder.observe);
  return recorder.series();
}

test('a short run is told second by second', () => {
  const series = seriesOf(100);
  expect(series.stretchSeconds).toBe(1);
  expect(series.demand).toHaveLength(100);
  // Twenty in flight on tasks of four slots.
  expect(series.demand.at(-1)).toBe(5);
  expect(series.running.at(-1)).toBe(5);
});

test('a long one in stretches, the last of which may be shorter', () => {
  const series = seriesOf(1_000);
  expect(series.stretchSeconds).toBe(3);
  expect(series.demand).toHaveLength(334);
  expect(series.demand.at(-1)).toBe(5);
});
