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

    const draw = ({ canvas, run }) => {
      const scale = window.devicePixelRatio || 1;
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      canvas.width = width * scale;
      canvas.height = height * scale;
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      const shown = (values) => values.slice(view.from, view.to);
      const most = Math.max(1, ...plots.flatMap((it) => shown(it.run.demand)), ...shown(run.paid));
      const longest = Math.max(2, ...plots.flatMap((it) => shown(it.run.longestWaitSeconds)));
      const x = (index) => ((index - view.from) / Math.max(1, view.to - view.from - 1)) * width;
      const path = (values, highest) => {
        pen.beginPath();
        for (let index = view.from; index < view.to; index += 1) {
          const y = height - (Math.min(highest, values[index]) / highest) * (height - 6);
          if (index === view.from) pen.moveTo(x(index), y);
          else pen.lineTo(x(index), y);
        }
      };
      pen.fillStyle = colour('--trouble');
      const bar = Math.max(1, width / (view.to - view.from));
      for (let index = view.from; index < view.to; index += 1) {
        const tall = (run.longestWaitSeconds[index] / longest) * (height - 6);
        if (run.longestWaitSeconds[index] > 1) pen.fillRect(x(index), height - tall, bar, tall);
      }
      path(run.demand, most);
      pen.lineTo(x(view.to - 1), height);
      pen.lineTo(x(view.from), height);
      pen.globalAlpha = 0.35;
      pen.fillStyle = colour('--demand');
      pen.fill();
      pen.globalAlpha = 1;
      pen.lineWidth = 1;
      path(run.paid, most);
      pen.strokeStyle = colour('--paid');
      pen.stroke();
      pen.lineWidth = 1.5;
      path(run.running, most);
      pen.strokeStyle = colour('--running');
      pen.stroke();
      pen.fillStyle = colour('--quiet');
      pen.fillText(`${Math.round(most)} tasks`, 4, 12);
      if (view.at === undefined) return;
      pen.fillStyle = colour('--ink');
      pen.fillRect(x(view.at), 0, 1, height);
      if (view.dragFrom === undefined) return;
      pen.globalAlpha = 0.12;
      pen.fillRect(x(view.dragFrom), 0, x(view.at) - x(view.dragFrom), height);
      pen.globalAlpha = 1;
    };

    const tell = () => {
      if (view.at === undefined) {
        readout.textContent = '';
        return;
      }
      const { run } = plots[0];
      const trouble = ({ longestWaitSeconds, waiting }) =>
        longestWaitSeconds[view.at] > 1
          ? ` (${longestWaitSeconds[view.at]} s, ${waiting[view.at]} waiting)`
          : '';
      const parts = plots.map(
        (it) => `${it.run.policy} ${it.run.running[view.at].toFixed(0)}${trouble(it.run)}`,
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
