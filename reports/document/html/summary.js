'use strict';

const verdictWords = {
  identified: 'Identified',
  ambiguous: 'Ambiguous',
  refuted: 'Refuted',
  undecided: 'Undecided',
};

/** Links to the steps in which something was learned. */
function stepLinks(report, steps) {
  const links = [];
  for (const step of steps.slice(0, 6)) {
    if (links.length > 0) links.push(', ');
    links.push(el('a', {href: `#step-${step}`}, report.steps[step].probe));
  }
  if (steps.length > 6) links.push(` and ${steps.length - 6} more`);
  return links;
}

function showVerdict(section, report) {
  const {model} = report;
  section.append(
    el('div', {class: `verdict ${model.status}`}, el('strong', {}, verdictWords[model.status]), el('span', {}, ...breakable(model.reason))));
  const numbers = [
    ['Hypotheses', `${counted(model.hypotheses.initial)} \u2192 ${counted(model.hypotheses.remaining)}`],
    ['Probes', String(model.probes)],
    ['Runs', String(model.runs)],
    ['Time', seconds(model.seconds)],
  ];
  if (model.spent) numbers.push(['Waiting for the oracle', seconds(model.spent.waiting)]);
  if (model.fewest_probes) numbers.push(['Probes that told all', String(model.fewest_probes.asked)]);
  section.append(el('dl', {class: 'numbers'},
    ...numbers.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))));
  if (model.assumed.length > 0) {
    section.append(el('p', {}, 'Taken for granted: ', el('code', {}, model.assumed.join(' ')), '.'));
  }
  if (model.clash) {
    section.append(el('h3', {}, 'What clashes'),
      el('p', {}, 'No hypothesis explains these recordings together:'),
      el('ul', {}, ...model.clash.map((name) => el('li', {}, name))));
  }
  if (model.nearest) showNearest(section, model.nearest);
}

function showNearest(section, nearest) {
  section.append(el('h3', {}, 'What comes nearest'),
    el('p', {}, `A hypothesis that gets ${nearest.wrong.length} of ${nearest.facts} facts wrong. The rest of this page tells of it.`));
  const rows = nearest.wrong.slice(0, 12).map((wrong) => el('tr', {},
    el('th', {scope: 'row'}, wrong.recording), el('td', {}, wrong.kernel ?? ''),
    el('td', {}, String(wrong.predicted)), el('td', {}, String(wrong.seen))));
  section.append(table('Facts that it gets wrong', ['Recording', 'Kernel', 'Predicted', 'Seen'], rows));
}

function sentenceItem(report, sentence) {
  return el('li', {'data-axis': sentence.axis}, `${sentence.text}. `,
    sentence.unlike_algorithm_1 ? el('span', {class: 'tag new'}, 'unlike Algorithm 1') : null, ' ',
    sentence.settled ? null : el('span', {class: 'tag open'}, 'open: perhaps otherwise'), ' ',
    el('small', {class: 'quiet'}, sentence.evidence.length > 0 ? 'evidence: ' : '', ...stepLinks(report, sentence.evidence)));
}

function showSentences(section, report) {
  const lines = 10;
  const item = (sentence) => sentenceItem(report, sentence);
  if (report.sentences.length === 0) {
    section.append(el('p', {}, 'Nothing that was imagined does what was seen here; see above.'));
    return;
  }
  section.append(el('ol', {class: 'sentences'}, ...report.sentences.slice(0, lines).map(item)));
  const rest = report.sentences.slice(lines);
  if (rest.length === 0) return;
  section.append(el('details', {}, el('summary', {}, `${rest.length} more`),
    el('ol', {class: 'sentences', start: lines + 1}, ...rest.map(item))));
}

const roleWords = {
  settled: 'settled',
  open: 'open',
  alike: 'no probe tells these apart (proved)',
  idle: 'without effect here',
  given: 'nothing else was considered',
};

function valueItem(report, value) {
  const item = el('li', {class: value.state, title: value.meaning, 'data-value': value.name, 'data-state': value.state},
    el('code', {}, value.name));
  if (value.state === 'refuted') {
    item.append(' by ', value.refuted_by === null ? '' : el('a', {href: `#step-${value.refuted_by}`}, report.steps[value.refuted_by].probe));
  }
  if (value.state === 'last_resort') item.append(' not needed');
  if (value.state === 'excluded') item.append(' not considered');
  return item;
}

function axisRow(report, axis) {
  const left = axis.values.filter((value) => value.state === 'left');
  const others = axis.values.filter((value) => value.state !== 'left');
  const values = (some) => el('ul', {class: 'values'}, ...some.map((value) => valueItem(report, value)));
  return el('tr', {'data-axis': axis.name, 'data-role': axis.role},
    el('th', {scope: 'row'}, el('code', {}, axis.name), el('small', {}, axis.meaning)),
    el('td', {}, roleWords[axis.role] ?? axis.role), el('td', {}, values(left)), el('td', {}, values(others)));
}

function showAxes(section, report) {
  const headings = ['Axis', 'Outcome', 'Left', 'Ruled out'];
  const isQuiet = (axis) => axis.role === 'idle' || axis.role === 'given';
  const rows = (axes) => axes.map((axis) => axisRow(report, axis));
  section.append(table('Values', headings, rows(report.axes.filter((axis) => !isQuiet(axis)))));
  const quiet = report.axes.filter(isQuiet);
  if (quiet.length === 0) return;
  section.append(el('details', {}, el('summary', {}, `${quiet.length} axes that say nothing here`),
    table('Values of other axes', headings, rows(quiet))));
}
