import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { someRun } from '../../../test/some-run';
import { renderPage } from './page';

const part = (name: string) => readFileSync(join(__dirname, '../../page', name), 'utf8');
const PARTS = { script: part('page.js'), style: part('page.css'), seed: 7 };

const run = someRun({
  trace: '<b>&"x"</b>',
  score: { r: 1.5, violatingShare: 0.01 },
  series: {
    stretchSeconds: 60,
    demand: [1, 2, 3, 4, 5, 6],
    running: [3, 3, 3, 4, 5, 6],
    paid: [3, 3, 4, 5, 6, 6],
    waiting: [0, 0, 9, 0, 0, 0],
    waitP99Seconds: [0, 0, 4, 0, 0, 0],
    throttledShare: [0, 0, 0, 0.25, 0, 0],
  },
});

const page = renderPage({ runs: [run], standings: [], promises: [] }, PARTS);

test('asks nobody on the network for anything', () => {
  expect(page).not.toMatch(/https?:|src=|@import|url\(/);
});

test('a name of a file is text, whatever it contains', () => {
  expect(page).not.toContain('<b>&"x"</b>');
  expect(page).toContain('&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;');
});

test('the same figures give the same bytes', () => {
  expect(renderPage({ runs: [run], standings: [], promises: [] }, PARTS)).toBe(page);
});

/** As much of a browser as the script of the page needs; counts what is drawn. */
function browser(json: string) {
  const listeners = new Map<string, (event: object) => void>();
  let strokes = 0;
  const pen = new Proxy(
    {},
    { get: (_, name) => () => (strokes += name === 'stroke' ? 1 : 0), set: () => true },
  );
  const canvasOf = (panel: string) => ({
    dataset: { run: '0', panel },
    clientWidth: 600,
    clientHeight: 100,
    getContext: () => pen,
    getBoundingClientRect: () => ({ left: 0, width: 600 }),
    addEventListener: (name: string, listener: (event: object) => void) =>
      listeners.set(name, listener),
  });
  const canvases = ['tasks', 'queue', 'p99', 'cost'].map(canvasOf);
  const readout = { textContent: '' };
  const section = { querySelectorAll: () => canvases, querySelector: () => readout };
  const world = {
    document: {
      documentElement: {},
      getElementById: () => ({ textContent: json }),
      querySelectorAll: () => [section],
    },
    window: { devicePixelRatio: 1 },
    getComputedStyle: () => ({ getPropertyValue: () => '#000' }),
    ResizeObserver: class {
      observe() {
        strokes += 0;
      }
    },
  };
  const move = (name: string, clientX: number) =>
    listeners.get(name)?.({ clientX, currentTarget: canvases[0] });
  return { world, move, readout, strokes: () => strokes };
}

test('its script draws every plot and reads a moment off it', () => {
  const json = /id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  const { world, move, readout, strokes } = browser(json);
  runInNewContext(PARTS.script, world);
  // Tasks paid and running, the wait, and the cost.
  expect(strokes()).toBe(4);
  move('pointermove', 240);
  expect(readout.textContent).toBe(
    '0:02 h  demand 3.0 tasks; tasks running: keda 3 (p99 4 s, 9 waiting)',
  );
  move('pointerdown', 0);
  move('pointerup', 600);
  move('dblclick', 0);
  expect(strokes()).toBeGreaterThan(8);
});
