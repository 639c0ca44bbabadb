'use strict';

const mostColumns = 60;

function namesOf(report, recordings) {
  const names = recordings.slice(0, 3).map((index) => report.recordings[index].name);
  return recordings.length > 3 ? `${names.join(', ')} and ${recordings.length - 3} more` : names.join(', ');
}

function showMatrix(section, report) {
  const {rows} = report.matrix;
  if (rows.length === 0) {
    section.append(el('p', {}, 'There is no mechanism to change.'));
    return;
  }
  const columns = report.recordings.length <= mostColumns ? report.recordings.map((recording) => recording.name) : [];
  const cells = (row) => {
    const hits = new Set(row.contradicted_by);
    return columns.map((name, index) => el('td', {class: hits.has(index) ? 'hit' : '', title: hits.has(index) ? name : false},
      hits.has(index) ? '\u00d7' : ''));
  };
  const lines = rows.map((row) => el('tr', {},
    el('th', {scope: 'row'}, el('code', {}, `${row.axis}=${row.value}`)),
    el('td', {class: 'number', title: namesOf(report, row.contradicted_by)}, row.contradicted_by.length === 0 ? 'none' : String(row.contradicted_by.length)),
    ...(columns.length > 0 ? cells(row) : [el('td', {style: 'text-align: left'}, namesOf(report, row.contradicted_by))])));
  section.append(table('Recordings that contradict each change',
    ['the mechanism with', 'contradicted by', ...(columns.length > 0 ? columns : ['recordings'])], lines, {class: 'matrix'}));
}

function showConfirmed(section, report) {
  const {confirmed} = report.model;
  if (!confirmed) {
    section.append(el('p', {}, 'Nothing: only what nothing more splits is confirmed.'));
    return;
  }
  const rows = Object.entries(confirmed.launches).map(([feature, kinds]) => el('tr', {},
    el('th', {scope: 'row'}, feature),
    el('td', {style: 'text-align: left'}, Object.entries(kinds).map(([kind, launches]) => `${kind}: ${launches}`).join('; '))));
  section.append(
    el('p', {}, `${confirmed.probes} probes that told nothing new, in ${confirmed.sessions} sessions with those before; ${confirmed.limits} fill a documented limit. ${confirmed.pairs} pairs of kinds were seen in one launch.`),
    table('Launches of each kind', ['', 'kind: launches'], rows));
}

function showNoise(section, report) {
  const {discarded} = report.model;
  if (discarded.length === 0) {
    section.append(el('p', {}, report.model.voted
      ? 'None: every run of a probe said the same.'
      : 'None: every answer was taken as true.'));
    return;
  }
  const rows = discarded.map((each) => el('tr', {}, el('th', {scope: 'row'}, each.probe),
    el('td', {class: 'number'}, `${each.discarded} of ${each.runs}`), el('td', {}, each.reason)));
  section.append(
    el('p', {}, 'These runs say otherwise than most of the same probe. They refute nothing.'),
    table('Runs that do not count', ['Probe', 'Runs', 'Why'], rows));
}

function showCheck(section, report) {
  if (!report.certificate) {
    section.append(el('p', {}, 'There is no certificate in this folder.'));
    return;
  }
  section.append(
    el('p', {}, `The certificate beside the recordings holds ${report.certificate.lemmas} lemmas, each a file that Z3, cvc5 or any solver for SMT-LIB 2 must answer with `,
      el('code', {}, 'unsat'), ': why no hypothesis with an excluded value explains the recordings, and why what is left is one behaviour. This works all of it out again:'),
    el('p', {}, el('code', {}, report.certificate.command)),
    el('p', {}, 'That nobody changed a file since: ', el('code', {}, 'sha256sum -c SHA256SUMS'), ' in the folder ', el('code', {}, 'certificate'), '.'));
}
