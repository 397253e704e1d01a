import { promiseRow, runRow, standingRow } from './presentation';
import type { PolicyName } from '../policies/policies';
import type { Promised } from './promises';
import type { Standing } from './standings';
import type { SuiteRun } from './suite-run';

/** What the page is made of beside its figures. */
export interface PageParts {
  readonly script: string;
  readonly style: string;
  readonly seed: number;
}

export interface PageContent {
  readonly runs: readonly SuiteRun[];
  readonly standings: readonly Standing[];
  readonly promises: readonly Promised[];
}

/** One file that shows the whole comparison, and asks nobody on the network for anything. */
export function renderPage(content: PageContent, { script, style, seed }: PageParts): string {
  const plotted = content.runs.filter((run) => run.series !== undefined);
  const data = plotted.map(({ policy, series }) => ({ policy, ...series }));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Scaling policies compared</title>
<style>${style}</style>
<h1>Scaling policies compared</h1>
<p class="quiet">Each policy served the same traffic with the same tasks. <b>R</b> is what that cost, broken promises included,
over what the oracle paid, who knows the future: 1 is perfect, and a request in a hundred that waited too long
weighs as much as half the capacity that was needed. Seed ${seed}.</p>
${summaryOf(content.standings)}
<h2>Over all traffic</h2>
${tableOf(content.standings.map(standingRow))}
<h2>What is promised</h2>
${tableOf(content.promises.map(promiseRow))}
<details><summary>Every run, with its hours and dollars</summary>
${tableOf(content.runs.map(runRow))}
</details>
${trafficOf(plotted)
  .map((name) => sectionOf(name, plotted))
  .join('\n')}
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</html>
`;
}

/** Runs that belong on one time line. */
function trafficOf(runs: readonly SuiteRun[]): readonly string[] {
  return [...new Set(runs.map(titleOf))];
}

function titleOf({ trace, startupSeconds, calendarKnown }: SuiteRun): string {
  return `${trace}, start-up ${startupSeconds} s${calendarKnown ? ', announced by the calendar' : ''}`;
}

const LEGEND = [
  ['demand', 'demand, in tasks'],
  ['running', 'tasks running'],
  ['paid', 'tasks paid'],
  ['trouble', 'somebody waits too long'],
  ['refused', 'a model refuses some'],
] as const;

/** Who is who, for somebody who did not build it. */
const ABOUT: Readonly<Record<PolicyName, string>> = {
  oracle: 'knows the future',
  ours: 'this platform, as deployed',
  source: 'what ours was derived from',
  knative: 'as Knative scales',
  keda: 'as KEDA and Kubernetes scale',
  static_peak: 'sized for the peak, always',
  cpu: 'AWS, by processor',
  requests: 'AWS, by requests, tuned',
  baseline: 'AWS policies, plain profile',
  genai: 'AWS policies, GenAI profile',
};

/** What is drawn of each run, side by side. */
const PANELS = [
  ['tasks', 'demand against capacity'],
  ['queue', 'requests waiting'],
  ['p99', 'p99 of the wait'],
  ['cost', 'task-hours (oracle dotted)'],
] as const;

function sectionOf(title: string, runs: readonly SuiteRun[]): string {
  const figures = runs.flatMap((run, index) =>
    titleOf(run) === title ? [figureOf(run, index)] : [],
  );
  const legend = LEGEND.map(
    ([name, text]) => `<span><i style="background: var(--${name})"></i>${text}</span>`,
  );
  const heads = PANELS.map(([, text]) => `<span>${text}</span>`).join('');
  return `<section data-traffic>
<h2>${escaped(title)}</h2>
<p class="legend">${legend.join('')}</p>
<p class="quiet">Point at a plot to read a moment off all policies; drag to zoom, double-click to return. Hours since the start; the first 300 s do not count.</p>
<output></output>
<div class="row heads"><span></span>${heads}</div>
${figures.join('\n')}
</section>`;
}

function figureOf({ policy, score }: SuiteRun, index: number): string {
  const { paid, overOracle } = score;
  const facts = [
    ABOUT[policy],
    `${(score.violatingShare * 100).toFixed(2)} % late or refused`,
    ...(paid.throttleMinutes > 0
      ? [`models refuse for ${paid.throttleMinutes.toFixed(0)} min`]
      : []),
    `${(overOracle.taskHours ?? 1).toFixed(2)} × the oracle's tasks`,
    `$${Math.round(paid.dollars).toLocaleString('en')} with tokens`,
  ].map((fact) => `<small>${fact}</small>`);
  const canvases = PANELS.map(
    ([panel, text]) =>
      `<canvas data-run="${index}" data-panel="${panel}" role="img" aria-label="${policy}: ${text}"></canvas>`,
  );
  return `<figure class="row${policy === 'ours' ? ' ours' : ''}"><figcaption><b>${policy}</b> R ${score.r.toFixed(2)}${facts.join('')}</figcaption>${canvases.join('')}</figure>`;
}

/** The result in a sentence, and a bar for each policy: who reads no further knows it. */
function summaryOf(standings: readonly Standing[]): string {
  const [startup] = standings.map((it) => it.startupSeconds);
  const lines = standings.filter((it) => it.startupSeconds === startup);
  const rivals = lines.filter((it) => it.policy !== 'oracle');
  const place = rivals.findIndex((it) => it.policy === 'ours');
  const own = rivals[place];
  if (own === undefined) return '';
  const next = rivals.find((it) => it.policy !== 'ours');
  const against = next === undefined ? '' : `; ${next.policy} pays ${next.geomeanR.toFixed(2)}`;
  const others = next === undefined ? '' : `, with ${next.policy} ${shareText(next)}`;
  const sentence =
    `With tasks that take ${own.startupSeconds} s to start, the platform's own policy is number ${place + 1} of ` +
    `${rivals.length}: it pays ${own.geomeanR.toFixed(2)} times what perfect foresight would${against}. ` +
    `${shareText(own)} of the requests waited more than a second or were refused${others}.`;
  const most = Math.max(...lines.map((it) => Math.log(it.geomeanR)), Math.log(2));
  const bars = lines.map(({ policy, geomeanR }) => {
    const width = Math.max(0.5, (Math.log(geomeanR) / most) * 100).toFixed(1);
    const own = policy === 'ours' ? ' class="ours"' : '';
    return `<li${own} title="${ABOUT[policy]}"><span>${policy}</span><i style="width: ${width}%"></i><b>${geomeanR.toFixed(2)}</b></li>`;
  });
  return `<p class="lead">${sentence}</p>
<ol class="bars">${bars.join('\n')}</ol>
<p><small>Geometric mean of R over all traffic nobody announced; the bars' lengths are logarithms.</small></p>`;
}

function shareText({ meanViolatingShare }: Standing): string {
  return `${(meanViolatingShare * 100).toFixed(2)} %`;
}

type Row = Readonly<Record<string, string | number>>;

function tableOf(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const head = names.map((name) => `<th>${escaped(name)}</th>`).join('');
  const body = rows.map(
    (row) => `<tr>${names.map((name) => cellOf(row[name] ?? '')).join('')}</tr>`,
  );
  return `<table><tr>${head}</tr>${body.join('\n')}</table>`;
}

function cellOf(value: string | number): string {
  const text = typeof value === 'number' ? String(Number(value.toPrecision(3))) : value;
  return `<td${text === 'NO' ? ' class="missed"' : ''}>${escaped(text)}</td>`;
}

/** Names of traces are names of files, which may be anything. */
function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
