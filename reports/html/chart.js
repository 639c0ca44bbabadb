'use strict';

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Hypotheses left, in bits, over probes or over time. */
function drawChart(holder, report, byTime) {
  holder.replaceChildren();
  const {initial} = report.model.hypotheses;
  const steps = report.steps.filter((step) => step.left_bits !== null);
  const x = [0, ...steps.map((step, i) => (byTime ? step.seconds : i + 1))];
  const y = [Math.log2(Math.max(initial, 1)), ...steps.map((step) => step.left_bits)];
  const axis = {stroke: colour('--quiet'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line')}};
  const options = {
    width: Math.max(260, holder.clientWidth - 20),
    height: 260,
    scales: {x: {time: false}},
    axes: [{...axis, label: byTime ? 'seconds since the start' : 'probes asked'}, {...axis, label: 'bits left'}],
    series: [
      {label: byTime ? 'seconds' : 'probes', value: (_, v) => (v === null ? '' : byTime ? v.toFixed(1) : v)},
      {label: 'bits left', stroke: colour('--accent'), width: 2, paths: uPlot.paths.stepped({align: 1}),
        points: {show: steps.length < 200}, value: (_, v) => (v === null ? '' : v.toFixed(1))},
    ],
  };
  return new uPlot(options, [x, y], holder);
}

function showChart(section, report) {
  const holder = el('div', {class: 'chart', role: 'img',
    'aria-label': 'Hypotheses left after each probe, in bits; the list below has the same numbers'});
  const byTime = el('input', {type: 'checkbox', id: 'by-time'});
  section.append(el('div', {class: 'controls'}, el('label', {}, byTime, ' over time instead of probes')), holder);
  const draw = () => drawChart(holder, report, byTime.checked);
  byTime.addEventListener('change', draw);
  let wide = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === wide) return;
    wide = holder.clientWidth;
    draw();
  }).observe(holder);
  return draw;
}

function settledWords(step) {
  return Object.entries(step.narrowed).map(([axis, values]) => el('li', {},
    el('code', {}, axis), ': ', values.length === 0 ? 'none' : values.length < 4 ? values.join(', ') : `${values.length} left`));
}

function stepItem(report, step, index) {
  const others = step.outcomes > 1 ? `; ${step.outcomes - 1} other outcomes were expected of it` : '';
  const narrowed = settledWords(step);
  const noise = step.differing > 0 ? ` ${step.differing} of its ${step.runs} runs do not count.` : '';
  return el('li', {id: `step-${index}`, class: step.gained_bits > 0 ? 'tells' : '', tabindex: -1},
    el('strong', {}, step.probe), ' ',
    el('span', {class: 'left'}, `+${bits(step.gained_bits)} bits, ${counted(step.left)} left, ${seconds(step.seconds)}`), ' ',
    step.recording === null ? null : el('a', {href: '#map', click: () => window.chooseRecording(step.recording)}, 'see it'),
    el('div', {class: 'quiet'}, `${step.why}${others}.${noise}`),
    narrowed.length > 0 ? el('ul', {class: 'values'}, ...narrowed) : null);
}

function showSteps(section, report) {
  const list = el('ol', {class: 'steps'});
  const pages = paged(list, report.steps, (step, index) => stepItem(report, step, index));
  section.append(list, pages.more);
  const follow = () => {
    const match = /^#step-(\d+)$/.exec(location.hash);
    if (!match) return;
    pages.showUpTo(Number(match[1]));
    document.getElementById(match[1] && `step-${match[1]}`)?.scrollIntoView({block: 'center'});
  };
  window.addEventListener('hashchange', follow);
  follow();
}
