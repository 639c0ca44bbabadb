'use strict';

const hues = [212, 28, 145, 280, 350, 55, 185, 100, 320, 240, 12, 165];
const kernelColour = (index) => `hsl(${hues[index % hues.length]} ${index < hues.length ? 62 : 35}% 42%)`;

/** GPCs of TPCs of SMs, by the device's maps. */
function topologyOf(device) {
  const gpcs = new Map();
  for (let sm = 0; sm < device.sms; ++sm) {
    const gpc = device.gpc_of_sm ? device.gpc_of_sm[sm] : 0;
    const tpc = device.tpc_of_sm ? device.tpc_of_sm[sm] : Math.floor(sm / device.sms_per_tpc);
    if (!gpcs.has(gpc)) gpcs.set(gpc, new Map());
    const tpcs = gpcs.get(gpc);
    if (!tpcs.has(tpc)) tpcs.set(tpc, []);
    tpcs.get(tpc).push(sm);
  }
  return gpcs;
}

/** What an action releases: {kernel, blocks}, without blocks all that are resident then. */
function releasesOf(action) {
  return (action.release ?? []).map((each) => (typeof each === 'string' ? {kernel: each} : each));
}

/** What starts in each step: as it was seen, or where it differs as it was predicted. */
function placementsOf(recording, predicted) {
  const steps = recording.script.map(() => new Map());
  for (const fact of recording.facts) {
    if (fact.sm) steps[fact.step].set(fact.kernel, fact.sm);
  }
  for (const wrong of recording.wrong) {
    if (predicted && wrong.predicted) steps[wrong.step].set(wrong.kernel, wrong.predicted);
  }
  return steps.map((started) => [...started].map(([kernel, sm]) => ({kernel, sm})));
}

/** Blocks resident after a step: {kernel, block, sm, fresh}. */
function residentAfter(recording, step, predicted) {
  const started = {};
  let resident = [];
  const placements = placementsOf(recording, predicted);
  for (let s = 0; s <= step; ++s) {
    for (const release of releasesOf(recording.script[s])) {
      const gone = release.blocks && new Set(release.blocks);
      resident = resident.filter((block) => block.kernel !== release.kernel || (gone && !gone.has(block.block)));
    }
    for (const {kernel, sm} of placements[s]) {
      for (const each of sm) {
        started[kernel] = (started[kernel] ?? -1) + 1;
        resident.push({kernel, block: started[kernel], sm: each, fresh: s === step});
      }
    }
  }
  return resident;
}

function actionWords(action) {
  const words = [];
  if (action.launch) words.push(`launch ${action.launch}`);
  for (const release of releasesOf(action)) {
    const blocks = release.blocks;
    const which = !blocks ? 'all blocks' : blocks.length > 6 ? `${blocks.length} blocks` : `block${blocks.length > 1 ? 's' : ''} ${blocks.join(', ')}`;
    words.push(`release ${which} of ${release.kernel}`);
  }
  return words.join(', ');
}

function clusterOf(recording, block) {
  const size = recording.kernels[block.kernel].cluster;
  return size ? Math.floor(block.block / size) : null;
}

function smWords(sm, blocks) {
  const byKernel = new Map();
  for (const block of blocks) byKernel.set(block.kernel, [...(byKernel.get(block.kernel) ?? []), block.block]);
  const parts = [...byKernel].map(([kernel, some]) => `${kernel}: ${some.length > 8 ? `${some.length} blocks` : `block ${some.join(', ')}`}`);
  return `SM ${sm}: ${parts.length > 0 ? parts.join('; ') : 'empty'}`;
}

function blockElement(recording, names, block, chosen) {
  const cluster = clusterOf(recording, block);
  const isChosen = chosen && chosen.kernel === block.kernel && (cluster === null ? chosen.block === block.block : chosen.cluster === cluster);
  const classes = ['block', block.fresh ? 'fresh' : '', cluster !== null && cluster % 2 === 1 ? 'odd' : '', isChosen ? 'chosen' : ''];
  return el('span', {class: classes.join(' ').trim(), style: `--k: ${kernelColour(names.indexOf(block.kernel))}`,
    title: `${block.kernel}, block ${block.block}${cluster === null ? '' : `, cluster ${cluster}`}`,
    'data-kernel': block.kernel, 'data-block': block.block, 'data-cluster': cluster}, block.kernel.replace(/^k(?=\d)/, ''));
}

/** SMs on which prediction and observation differ in what is resident. */
function differingSms(seen, predicted) {
  const key = (blocks) => {
    const bySm = new Map();
    for (const block of blocks) bySm.set(block.sm, `${bySm.get(block.sm) ?? ''} ${block.kernel}.${block.block}`);
    return bySm;
  };
  const one = key(seen);
  const other = key(predicted);
  return new Set([...one.keys(), ...other.keys()].filter((sm) => one.get(sm) !== other.get(sm)));
}

function drawMap(holder, shown, view) {
  const recording = shown.recordings[view.recording];
  const names = Object.keys(recording.kernels);
  const resident = residentAfter(recording, view.step, view.predicted);
  const differing = recording.wrong.length > 0
    ? differingSms(residentAfter(recording, view.step, false), residentAfter(recording, view.step, true)) : new Set();
  const bySm = new Map();
  for (const block of resident) bySm.set(block.sm, [...(bySm.get(block.sm) ?? []), block]);
  const smElement = (sm) => {
    const blocks = bySm.get(sm) ?? [];
    const words = smWords(sm, blocks) + (differing.has(sm) ? `; differs ${shown.predicted}` : '');
    return el('div', {class: differing.has(sm) ? 'sm differs' : 'sm', 'data-sm': sm, title: words, role: 'img', 'aria-label': words},
      el('i', {}, String(sm)), el('div', {class: 'blocks'}, ...blocks.map((block) => blockElement(recording, names, block, view.chosen))));
  };
  const gpcs = topologyOf(shown.device);
  const hasGpcs = Boolean(shown.device.gpc_of_sm);
  holder.className = `gpcs zoom-${view.zoom}`;
  holder.replaceChildren(...[...gpcs].map(([gpc, tpcs]) => el('div', {class: hasGpcs ? 'gpc' : 'gpc only'},
    hasGpcs ? el('b', {}, `GPC ${gpc}`) : null,
    el('div', {class: 'tpcs'}, ...[...tpcs.values()].map((sms) => el('div', {class: 'tpc'}, ...sms.map(smElement)))))));
}

function kernelRows(recording) {
  return Object.entries(recording.kernels).map(([name, kernel], index) => el('tr', {},
    el('th', {scope: 'row'}, el('span', {class: 'swatch', style: `--k: ${kernelColour(index)}`}), name),
    ...['blocks', 'threads', 'registers', 'shared', 'local', 'cluster', 'stream', 'priority'].map((field) =>
      el('td', {class: 'number'}, kernel[field] === undefined ? '' : String(kernel[field])))));
}

/** Facts that do not say which SM, and what was predicted otherwise. */
function otherFacts(shown, recording, step) {
  const lines = [];
  for (const fact of recording.facts) {
    if (fact.sm || fact.step !== step) continue;
    const {step: _, kernel, ...rest} = fact;
    const words = fact.started === undefined ? JSON.stringify(rest) : fact.started === 0 ? 'waits' : `blocks that start: ${fact.started}`;
    lines.push(`${kernel}: ${words}`);
  }
  for (const wrong of recording.wrong) {
    if (wrong.step !== step) continue;
    const show = (words, sms) => words ?? (sms.length === 0 ? 'nothing' : `SMs ${sms.join(' ')}`);
    lines.push(`${wrong.kernel} ${shown.predicted}: ${show(wrong.predicted_words, wrong.predicted)}; ${shown.seen}: ${show(wrong.seen_words, wrong.seen)}`);
  }
  return lines;
}

/** Recordings of a device, `seen` and `predicted` saying what is shown of them and what instead. */
function showMaps(section, shown) {
  if (shown.recordings.length === 0) {
    section.append(el('p', {}, 'Nothing was recorded.'));
    return;
  }
  section.tabIndex = 0;
  const view = {recording: 0, step: 0, zoom: shown.device.sms > 40 ? 1 : 2, predicted: false, chosen: null};
  const number = el('input', {type: 'number', min: 1, max: shown.recordings.length, value: 1, id: 'recording', 'aria-label': 'recording'});
  const name = el('strong', {id: 'recording-name'});
  const says = el('p', {'aria-live': 'polite', id: 'step-says'});
  const holder = el('div', {id: 'sms'});
  const extra = el('ul', {id: 'facts'});
  const kernels = el('div', {});
  const predicted = el('input', {type: 'checkbox', id: 'predicted'});
  const predictedLabel = el('label', {}, predicted, ` ${shown.predicted}`);
  const back = el('button', {type: 'button', id: 'back', click: () => go(view.step - 1)}, '\u2190 step');
  const forward = el('button', {type: 'button', id: 'forward', click: () => go(view.step + 1)}, 'step \u2192');
  const zoom = el('select', {id: 'zoom', 'aria-label': 'size'},
    ...[1, 2, 3].map((size) => el('option', {value: size, selected: size === view.zoom}, ['small', 'middle', 'large'][size - 1])));

  const draw = () => {
    const recording = shown.recordings[view.recording];
    const last = recording.script.length - 1;
    name.textContent = recording.name;
    says.textContent = `Step ${view.step + 1} of ${last + 1}: ${actionWords(recording.script[view.step])}.` +
      ` Resident, as far as it is known where: ${residentAfter(recording, view.step, view.predicted).length} blocks.`;
    back.disabled = view.step === 0;
    forward.disabled = view.step === last;
    predictedLabel.hidden = recording.wrong.length === 0;
    drawMap(holder, shown, view);
    extra.replaceChildren(...otherFacts(shown, recording, view.step).map((line) => el('li', {}, line)));
  };
  const go = (step) => {
    const last = shown.recordings[view.recording].script.length - 1;
    view.step = Math.min(Math.max(step, 0), last);
    draw();
  };
  const choose = (index) => {
    view.recording = Math.min(Math.max(index, 0), shown.recordings.length - 1);
    view.chosen = null;
    number.value = view.recording + 1;
    const recording = shown.recordings[view.recording];
    kernels.replaceChildren(table('Kernels', ['kernel', 'blocks', 'threads', 'registers', 'shared', 'local', 'cluster', 'stream', 'priority'], kernelRows(recording)));
    const wrong = recording.wrong.find((each) => each.step >= 0);
    go(wrong ? wrong.step : recording.script.length - 1);
  };
  window.chooseRecording = choose;
  number.addEventListener('change', () => choose(Number(number.value) - 1));
  zoom.addEventListener('change', () => { view.zoom = Number(zoom.value); draw(); });
  predicted.addEventListener('change', () => { view.predicted = predicted.checked; draw(); });
  holder.addEventListener('click', (event) => {
    const block = event.target.closest('.block');
    view.chosen = block && {kernel: block.dataset.kernel, block: Number(block.dataset.block),
      cluster: block.dataset.cluster === undefined ? null : Number(block.dataset.cluster)};
    draw();
  });
  section.addEventListener('keydown', (event) => {
    if (event.target.matches('input, select')) return;
    if (event.key === 'ArrowLeft') go(view.step - 1);
    if (event.key === 'ArrowRight') go(view.step + 1);
  });
  section.append(
    el('div', {class: 'controls'}, el('label', {}, 'Recording ', number, ` of ${shown.recordings.length}`), name, back, forward, zoom, predictedLabel),
    says, holder, extra,
    el('p', {class: 'quiet'}, 'A square is a block in its kernel\u2019s colour, framed if it started in this step, hatched if its cluster is one of every second. Choose one to see its cluster. Arrow keys go from step to step while this section has the focus.'),
    kernels);
  choose(Math.max(0, shown.recordings.findIndex((recording) => recording.facts.some((fact) => fact.sm))));
}
