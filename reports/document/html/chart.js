'use strict';

const redraws = [];  // of charts, in the colours of another theme

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const lineColours = ['--accent', '--bad', '--good', '--open', '--quiet', '--ink'];

/** Lines {name, points: [[x], [y]]} in a box; `draw` is to be called for others. */
function chartBox(label, lines) {
  const holder = el('div', {class: 'chart', role: 'img', 'aria-label': label.words});
  const draw = () => {
    holder.replaceChildren();
    const shown = lines();
    const axis = {stroke: colour('--quiet'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line')}};
    const few = shown.length === 1 && shown[0].points[0].length < 200;
    const number = (digits) => (_, v) => (v === null || v === undefined ? '' : v.toFixed(digits));
    const options = {
      width: Math.max(260, holder.clientWidth - 20),
      height: 260,
      scales: {x: {time: false}},
      axes: [{...axis, label: label.x()}, {...axis, label: label.y}],
      series: [
        {label: label.x(), value: number(1)},
        ...shown.map(({name}, i) => ({label: name, stroke: colour(lineColours[i % lineColours.length]), width: 2,
          dash: i === 0 ? [] : [4 + 2 * i, 4], paths: uPlot.paths.stepped({align: 1}),
          points: {show: few}, value: number(label.digits), spanGaps: true})),
      ],
    };
    new uPlot(options, uPlot.join(shown.map(({points}) => points)), holder);
  };
  let wide = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === wide) return;
    wide = holder.clientWidth;
    draw();
  }).observe(holder);
  redraws.push(draw);
  return {holder, draw};
}

/** A chart of a page (reports/document/page.h). */
function showChart(section, {title, x_label, lines}) {
  const points = ({x_step, values}) => [[...values, 0].map((_, i) => i * x_step), [...values, values[values.length - 1] ?? 0]];
  const label = {words: `${title}, over ${x_label}: ${lines.map(({name}) => name).join(', ')}`, x: () => x_label, y: title, digits: 2};
  section.append(chartBox(label, () => lines.map((line) => ({name: line.name, points: points(line)}))).holder);
}

/** Hypotheses left, in bits, over probes or over time. */
function showBits(section, report) {
  const byTime = el('input', {type: 'checkbox', id: 'by-time'});
  const {initial} = report.model.hypotheses;
  const steps = report.steps.filter((step) => step.left_bits !== null);
  const lines = () => [{
    name: 'bits left',
    points: [[0, ...steps.map((step, i) => (byTime.checked ? step.seconds : i + 1))],
      [Math.log2(Math.max(initial, 1)), ...steps.map((step) => step.left_bits)]],
  }];
  const label = {words: 'Hypotheses left after each probe, in bits; the list below has the same numbers',
    x: () => (byTime.checked ? 'seconds since the start' : 'probes asked'), y: 'bits left', digits: 1};
  const {holder, draw} = chartBox(label, lines);
  byTime.addEventListener('change', draw);
  section.append(el('div', {class: 'controls'}, el('label', {}, byTime, ' over time instead of probes')), holder);
}
