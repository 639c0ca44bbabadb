'use strict';

const tones = {identified: 'good', refuted: 'bad', ambiguous: 'open', undecided: 'open'};

/** The recording to look at first: one that the mechanism gets wrong, else the one that told most. */
function mostTelling({recordings, steps}) {
  const wrong = recordings.findIndex((recording) => recording.wrong.length > 0);
  if (wrong >= 0) return wrong;
  const shown = steps.filter((step) => step.recording !== null);
  return shown.reduce((best, step) => (step.gained_bits > best.gained_bits ? step : best), shown[0])?.recording;
}

const mapOf = (report) => ({device: report.model.device, recordings: report.recordings, seen: 'as seen', predicted: 'as predicted',
  first: mostTelling(report), changes: report.matrix.rows.length});

/** The page of an inference: its head, and its sections in their order. */
function inferencePage(report) {
  const {device, oracle, status} = report.model;
  const does = status === 'refuted' ? 'What was ruled out before' : 'What it does';
  return {
    kind: 'How this GPU schedules thread blocks',
    title: [report.title],
    about: [`${device.architecture}, ${device.sms} SMs. Asked: ${oracle}`],
    sections: [
      {id: 'verdict', link: 'Verdict', title: ['Verdict'], show: (section) => showConclusion(section, report)},
      {id: 'map', link: 'Map', title: ['Where blocks went'], show: (section) => showMaps(section, mapOf(report))},
      ...(status === 'refuted'
        ? [{id: 'clash', link: 'What clashes', title: ['What nothing explains'], show: (section) => showClash(section, report.model)}]
        : []),
      {id: 'values', link: does, title: [does], show: (section) => showAxes(section, report)},
      {id: 'evidence', link: 'Evidence', title: ['How that is known'], show: (section) => showEvidence(section, report)},
      {id: 'check', link: 'Check it', title: ['How to check it'], show: (section) => showCheck(section, report)},
    ],
  };
}

function showConclusion(section, report) {
  const {model} = report;
  showVerdict(section, tones[model.status], report.verdict);
  if (model.assumed.length > 0) section.append(el('p', {}, 'Taken for granted: ', el('code', {}, ...breakable(model.assumed.join(', '))), '.'));
}

function showClash(section, {clash, nearest}) {
  section.append(el('p', {}, 'No hypothesis explains these recordings together:'),
    el('ul', {}, ...clash.map((name) => el('li', {}, name))));
  if (!nearest) return;
  const rows = nearest.wrong.map((wrong) => el('tr', {},
    el('th', {scope: 'row'}, wrong.recording), el('td', {}, wrong.kernel ?? ''),
    el('td', {}, String(wrong.predicted)), el('td', {}, String(wrong.seen))));
  section.append(folded(`${rows.length} facts that the nearest gets wrong`,
    table('Facts that it gets wrong', ['Recording', 'Kernel', 'Predicted', 'Seen'], [el('tbody', {}, ...rows)])));
}

/** The probe that ruled each value out, or why none had to. */
function ruledOut(report, values) {
  const why = {last_resort: 'not needed', excluded: 'not considered'};
  const probeOf = (step) => report.steps[step].probe;
  const by = [...new Set(values.map((value) => value.refuted_by).filter((step) => step !== null))].map(probeOf);
  const item = (value) => el('li', {title: value.meaning, 'data-value': value.name, 'data-state': value.state}, el('code', {}, value.name),
    ...(value.refuted_by === null ? [` ${why[value.state] ?? ''}`] : [' by ', el('a', {href: `#step-${value.refuted_by}`}, probeOf(value.refuted_by))]));
  return folded(`${values.length} other${values.length > 1 ? 's' : ''}${by.length > 0 ? `, ruled out by ${by.slice(0, 2).join(', ')}${by.length > 2 ? ', \u2026' : ''}` : ''}`,
    el('ul', {}, ...values.map(item)));
}

const roleWords = {
  open: 'Open: one of these.',
  alike: 'No probe tells these apart, which is proved.',
  idle: 'Without effect here.',
  given: 'Nothing else was considered.',
};

/** What an axis is about, in sentences, and what was ruled out. */
function axisItem(report, axis) {
  const left = axis.values.filter((value) => value.state === 'left');
  const others = axis.values.filter((value) => value.state !== 'left');
  const sentence = (value) => el('p', {'data-value': value.name, 'data-state': 'left'}, value.sentence.replace(/[^.]$/, '$&.'), ' ', el('code', {class: 'quiet'}, value.name));
  return el('li', {'data-axis': axis.name, 'data-role': axis.role},
    el('code', {title: axis.meaning}, axis.name),
    el('div', {}, roleWords[axis.role] ? el('p', {class: 'quiet'}, roleWords[axis.role]) : null, ...left.map(sentence),
      axis.unlike_algorithm_1 ? el('span', {class: 'tag'}, 'unlike Algorithm 1') : null),
    others.length > 0 ? ruledOut(report, others) : null);
}

/** First what differs from Algorithm 1, then what is open; folded, what says nothing. */
function showAxes(section, report) {
  const isQuiet = (axis) => axis.role === 'idle' || axis.role === 'given';
  const rank = (axis) => (axis.unlike_algorithm_1 ? 0 : axis.role === 'open' ? 1 : 2);
  const list = (axes) => el('ul', {class: 'axes'}, ...axes.map((axis) => axisItem(report, axis)));
  const loud = report.axes.filter((axis) => !isQuiet(axis)).sort((one, other) => rank(one) - rank(other));
  const quiet = report.axes.filter(isQuiet);
  section.append(report.model.status === 'refuted' ? folded(`${loud.length} axes`, list(loud)) : list(loud));
  if (quiet.length > 0) section.append(folded(`${quiet.length} axes that say nothing here`, list(quiet)));
}
