// Draws every plot of the page; hover reads a moment off all policies, dragging zooms, a double click returns.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
  const clock = (seconds) => {
    const hours = Math.floor(seconds / 3600);
    const minutes = String(Math.floor((seconds % 3600) / 60)).padStart(2, '0');
    return `${hours}:${minutes}`;
  };

  for (const section of document.querySelectorAll('section[data-traffic]')) {
    const plots = [...section.querySelectorAll('canvas')].map((canvas) => ({
      canvas,
      run: data[Number(canvas.dataset.run)],
    }));
    if (plots.length === 0) continue;
    const readout = section.querySelector('output');
    const length = plots[0].run.demand.length;
    const view = { from: 0, to: length, at: undefined, dragFrom: undefined };

    const runs = [...new Set(plots.map((it) => it.run))];
    const oracle = runs.find((it) => it.policy === 'oracle');
    const hours = new Map();
    for (const run of runs) {
      let total = 0;
      hours.set(
        run,
        run.paid.map((tasks) => (total += (tasks * run.stretchSeconds) / 3600)),
      );
    }
    const shown = (values) => values.slice(view.from, view.to);
    const most = (least, seriesOf) => Math.max(least, ...runs.flatMap((it) => shown(seriesOf(it))));

    /** A pen for one canvas, cleared, with lines of values between 0 and `highest`. */
    const sheet = (canvas, highest, unit) => {
      const scale = window.devicePixelRatio || 1;
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      canvas.width = width * scale;
      canvas.height = height * scale;
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      const x = (index) => ((index - view.from) / Math.max(1, view.to - view.from - 1)) * width;
      const y = (value) => height - (Math.min(highest, value) / highest) * (height - 14);
      const path = (values) => {
        pen.beginPath();
        for (let index = view.from; index < view.to; index += 1) {
          if (index === view.from) pen.moveTo(x(index), y(values[index]));
          else pen.lineTo(x(index), y(values[index]));
        }
      };
      return {
        pen,
        x,
        height,
        width,
        line: (values, name, thick) => {
          path(values);
          pen.lineWidth = thick;
          pen.strokeStyle = colour(name);
          pen.stroke();
        },
        area: (values, name, strength) => {
          path(values);
          pen.lineTo(x(view.to - 1), height);
          pen.lineTo(x(view.from), height);
          pen.globalAlpha = strength;
          pen.fillStyle = colour(name);
          pen.fill();
          pen.globalAlpha = 1;
        },
        /** A bar wherever something holds. */
        marks: (holds, name, top, tall) => {
          pen.fillStyle = colour(name);
          pen.globalAlpha = tall > 10 ? 0.35 : 1;
          const bar = Math.max(1, width / (view.to - view.from));
          for (let index = view.from; index < view.to; index += 1) {
            if (holds(index)) pen.fillRect(x(index), top, bar, tall);
          }
          pen.globalAlpha = 1;
        },
        /** Some moments along the lower edge. */
        hours: (stretchSeconds) => {
          pen.fillStyle = colour('--quiet');
          for (const share of [0.25, 0.5, 0.75]) {
            const index = view.from + Math.round(share * (view.to - view.from - 1));
            const text = `${clock(index * stretchSeconds)} h`;
            pen.fillRect(x(index), height - 4, 1, 4);
            pen.fillText(text, x(index) + 3, height - 7);
          }
        },
        finish: () => {
          pen.fillStyle = colour('--quiet');
          pen.fillText(`${highest < 10 ? highest.toFixed(1) : Math.round(highest)} ${unit}`, 4, 10);
          if (view.at === undefined) return;
          pen.fillStyle = colour('--ink');
          pen.fillRect(x(view.at), 0, 1, height);
          if (view.dragFrom === undefined) return;
          pen.globalAlpha = 0.12;
          pen.fillRect(x(view.dragFrom), 0, x(view.at) - x(view.dragFrom), height);
          pen.globalAlpha = 1;
        },
      };
    };

    const panels = {
      tasks: ({ canvas, run }) => {
        // What a run makes wait piles up; the oracle's demand is what was really asked.
        const demand = (oracle ?? run).demand;
        const highest = Math.max(1, ...shown(demand), ...shown(run.paid));
        const page = sheet(canvas, highest, 'tasks');
        page.marks((index) => run.waitP99Seconds[index] > 1, '--trouble', 12, page.height);
        page.area(demand, '--demand', 0.35);
        page.line(run.paid, '--paid', 1);
        page.line(run.running, '--running', 1.5);
        page.marks((index) => run.throttledShare[index] > 0, '--refused', page.height - 5, 5);
        page.hours(run.stretchSeconds);
        page.finish();
      },
      queue: ({ canvas, run }) => {
        const page = sheet(canvas, Math.max(1, ...shown(run.waiting)), 'waiting');
        page.area(run.waiting, '--trouble', 0.6);
        page.finish();
      },
      p99: ({ canvas, run }) => {
        const page = sheet(
          canvas,
          most(2, (it) => it.waitP99Seconds),
          's',
        );
        page.line(run.waitP99Seconds, '--trouble', 1.5);
        page.finish();
      },
      cost: ({ canvas, run }) => {
        const page = sheet(
          canvas,
          most(1, (it) => hours.get(it)),
          'task-hours',
        );
        page.line(hours.get(run), '--paid', 1.5);
        if (oracle !== undefined) {
          page.pen.setLineDash([2, 3]);
          page.line(hours.get(oracle), '--quiet', 1);
          page.pen.setLineDash([]);
        }
        page.finish();
      },
    };
    const draw = (plot) => panels[plot.canvas.dataset.panel](plot);

    const tell = () => {
      if (view.at === undefined) {
        readout.textContent = '';
        return;
      }
      const { run } = plots[0];
      const trouble = ({ waitP99Seconds, waiting, throttledShare }) => {
        const refused = throttledShare[view.at];
        const facts = [
          ...(waitP99Seconds[view.at] > 1
            ? [`p99 ${waitP99Seconds[view.at]} s, ${waiting[view.at]} waiting`]
            : []),
          ...(refused > 0 ? [`${Math.round(refused * 100)} % refused by a model`] : []),
        ];
        return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
      };
      const parts = runs.map(
        (it) => `${it.policy} ${it.running[view.at].toFixed(0)}${trouble(it)}`,
      );
      readout.textContent =
        `${clock(view.at * run.stretchSeconds)} h  demand ${run.demand[view.at].toFixed(1)} tasks; ` +
        `tasks running: ${parts.join(', ')}`;
    };
    const drawAll = () => {
      plots.forEach(draw);
      tell();
    };
    const indexAt = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      return Math.min(view.to - 1, Math.round(view.from + share * (view.to - view.from - 1)));
    };

    for (const { canvas } of plots) {
      canvas.addEventListener('pointermove', (event) => {
        view.at = indexAt(event);
        drawAll();
      });
      canvas.addEventListener('pointerdown', (event) => {
        view.dragFrom = indexAt(event);
      });
      canvas.addEventListener('pointerup', (event) => {
        const [from, to] = [view.dragFrom, indexAt(event)].sort((a, b) => a - b);
        view.dragFrom = undefined;
        if (to - from > 3) Object.assign(view, { from, to: to + 1 });
        drawAll();
      });
      canvas.addEventListener('pointerleave', () => {
        view.at = undefined;
        view.dragFrom = undefined;
        drawAll();
      });
      canvas.addEventListener('dblclick', () => {
        Object.assign(view, { from: 0, to: length });
        drawAll();
      });
    }
    new ResizeObserver(drawAll).observe(section);
    drawAll();
  }
})();
