'use strict';

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
