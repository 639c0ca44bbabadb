'use strict';

function stepRow(report, step, index) {
  const {initial} = report.model.hypotheses;
  const ruledOut = report.axes.flatMap((axis) => axis.values).filter((value) => value.refuted_by === index).length;
  const noise = step.differing > 0 ? ` ${step.differing} of its ${step.runs} runs do not count.` : '';
  const share = 100 * (step.left_bits ?? 0) / Math.max(Math.log2(initial), 1);
  return el('tr', {id: `step-${index}`, tabindex: -1},
    el('th', {scope: 'row'}, step.recording === null ? el('strong', {}, step.probe)
      : el('a', {href: '#map', click: () => window.chooseRecording(step.recording)}, el('strong', {}, step.probe))),
    el('td', {class: 'number'}, step.gained_bits.toFixed(1)),
    el('td', {class: 'number'}, counted(step.left)),
    el('td', {class: 'bar'}, el('i', {style: `width: ${share}%`})),
    el('td', {class: 'number'}, String(ruledOut)),
    el('td', {class: 'quiet'}, `${step.why}.${noise}`));
}

/** Names of probes that told nothing, by why they were asked. */
function confirmations(steps) {
  const byWhy = new Map();
  for (const {probe, why} of steps) byWhy.set(why, [...(byWhy.get(why) ?? []), probe]);
  return el('dl', {}, ...[...byWhy].flatMap(([why, probes]) => [el('dt', {}, `${why} (${probes.length})`), el('dd', {class: 'quiet'}, probes.join(', '))]));
}

function showSteps(section, report) {
  const body = el('tbody');
  const told = report.steps.map((step, index) => ({step, index})).filter(({step}) => step.gained_bits > 0 || step.differing > 0);
  const pages = paged(body, told, ({step, index}) => stepRow(report, step, index));
  const box = table('Probes that told something', ['Probe', 'Bits told', 'Left', '', 'Values ruled out', 'Why it was asked'], [body], {class: 'steps'});
  section.append(box, pages.more);
  const others = report.steps.filter((step) => step.gained_bits === 0 && step.differing === 0);
  if (others.length > 0) section.append(folded(`${others.length} probes that told nothing new`, confirmations(others)));
  const follow = () => {
    const match = /^#step-(\d+)$/.exec(location.hash);
    if (!match) return;
    pages.showUpTo(told.findIndex(({index}) => index === Number(match[1])));
    document.getElementById(`step-${match[1]}`)?.scrollIntoView({block: 'center'});
  };
  window.addEventListener('hashchange', follow);
  follow();
}

function namesOf(report, recordings) {
  const names = recordings.slice(0, 3).map((index) => report.recordings[index].name);
  return recordings.length > 3 ? `${names.join(', ')} and ${recordings.length - 3} more` : names.join(', ');
}

/** A body for each axis, a row for each of its other values; columns are the recordings, if they are few. */
function matrix(report) {
  const few = report.recordings.length <= 60;
  const columns = few ? report.recordings.map((recording) => recording.name) : ['recordings'];
  const cells = ({contradicted_by: hits}) => (few
    ? columns.map((name, index) => el('td', hits.includes(index) ? {class: 'hit', title: name} : {}, hits.includes(index) ? '\u00d7' : ''))
    : [el('td', {}, namesOf(report, hits))]);
  const row = (each) => el('tr', {}, el('th', {scope: 'row'}, el('code', {}, `${each.axis}=${each.value}`)),
    el('td', {class: 'number'}, each.contradicted_by.length === 0 ? 'none' : String(each.contradicted_by.length)), ...cells(each));
  const axes = [...new Set(report.matrix.rows.map(({axis}) => axis))];
  const bodies = axes.map((axis) => el('tbody', {}, ...report.matrix.rows.filter((each) => each.axis === axis).map(row)));
  return table('Recordings that contradict each change', ['the mechanism with', 'contradicted by', ...columns], bodies, {class: few ? 'matrix crosses' : 'matrix'});
}

function neverTogether(apart) {
  const rows = Object.entries(apart).flatMap(([feature, kinds]) => Object.entries(kinds).map(([kind, others]) => el('tr', {},
    el('th', {scope: 'row'}, `${feature}: ${kind}`),
    el('td', {}, Object.entries(others).map(([other, names]) => `${other}: ${names.join(', ')}`).join('; ')))));
  return table('Pairs of kinds that no launch was of; some cannot be', ['a kind', 'never with'], [el('tbody', {}, ...rows)]);
}

function confirmedKinds(confirmed) {
  const rows = Object.entries(confirmed.launches).map(([feature, kinds]) => el('tr', {},
    el('th', {scope: 'row'}, feature), el('td', {}, Object.entries(kinds).map(([kind, launches]) => `${kind}: ${launches}`).join('; '))));
  return folded(`Kinds of launches that were asked: ${confirmed.probes} probes in ${confirmed.sessions} sessions`,
    el('p', {}, `A mechanism that nobody imagined shows only where it was looked for. ${confirmed.limits} of these probes fill a documented limit; of ${confirmed.all_pairs} pairs of kinds ${confirmed.pairs} were seen in one launch.`),
    table('Launches of each kind', ['', 'kind: launches'], [el('tbody', {}, ...rows)]),
    neverTogether(confirmed.apart));
}

function noise({discarded, voted}) {
  if (discarded.length === 0) return el('p', {id: 'noise'}, voted ? 'Every run of a probe said the same.' : 'Every answer was taken as true.');
  const rows = discarded.map((each) => el('tr', {}, el('th', {scope: 'row'}, each.probe),
    el('td', {class: 'number'}, `${each.discarded} of ${each.runs}`), el('td', {}, each.reason)));
  return el('div', {id: 'noise'}, el('p', {}, 'These runs say otherwise than most of the same probe. They refute nothing.'),
    table('Runs that do not count', ['Probe', 'Runs', 'Why'], [el('tbody', {}, ...rows)]));
}

function showEvidence(section, report) {
  section.append(el('p', {}, 'Each probe halves the hypotheses once for every bit that it tells.'));
  showSteps(section, report);
  if (report.matrix.rows.length > 0) {
    section.append(folded('What each recording contradicts',
      el('p', {}, 'The mechanism with one value changed and all others as they are. Where no recording says otherwise, the value may still be ruled out by several changes together, or be open.'),
      matrix(report)));
  }
  if (report.model.confirmed) section.append(confirmedKinds(report.model.confirmed));
  section.append(noise(report.model));
}

function showCheck(section, report) {
  if (!report.certificate) {
    section.append(el('p', {}, 'There is no certificate in this folder.'));
    return;
  }
  section.append(
    el('pre', {class: 'box', tabindex: 0}, el('code', {}, report.certificate.command)),
    el('p', {}, `That works all of it out again. The certificate beside the recordings holds ${report.certificate.lemmas} lemma${report.certificate.lemmas === 1 ? '' : 's'}, each a file that Z3, cvc5 or any solver for SMT-LIB 2 must answer with `,
      el('code', {}, 'unsat'), ': why no hypothesis with an excluded value explains the recordings, and why what is left is one behaviour. That nobody changed a file since: ',
      el('code', {}, 'sha256sum -c SHA256SUMS'), ' in the folder ', el('code', {}, 'certificate'), '.'));
}
