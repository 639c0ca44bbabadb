'use strict';

/** Neighbours are far apart in hue, and of three kernels in a row each has a lightness of its own. */
function kernelColours(index) {
  const lightness = [45, 62, 80][index % 3];
  return `--k: oklch(${lightness}% 0.13 ${(250 + 137.5 * index) % 360}); --on-k: ${lightness > 60 ? '#000' : '#fff'}`;
}

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

/** Of each kernel the first step of which it is told that blocks start, and not where: the numbers of those that follow are not known. */
function lostFrom(recording) {
  const lost = {};
  const places = new Set(recording.facts.filter((fact) => fact.sm).map(({kernel, step}) => `${step} ${kernel}`));
  for (const {kernel, step, started, starts, complete, sm_set: sms, warp_slot: slots} of recording.facts) {
    const says = started || starts || complete || sms?.length > 0 || slots?.length > 0;
    if (says && !places.has(`${step} ${kernel}`)) lost[kernel] = Math.min(step, lost[kernel] ?? step);
  }
  return lost;
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
  const lost = lostFrom(recording);
  return steps.map((started, step) => [...started].map(([kernel, sm]) => ({kernel, sm})).filter(({kernel}) => !(step >= lost[kernel])));
}

/** Blocks resident after each step: {kernel, block, sm, since}. */
function residentBlocks(recording, predicted) {
  const started = {};
  let resident = [];
  const placements = placementsOf(recording, predicted);
  return recording.script.map((action, step) => {
    for (const release of releasesOf(action)) {
      const gone = release.blocks && new Set(release.blocks);
      resident = resident.filter((block) => block.kernel !== release.kernel || (gone && !gone.has(block.block)));
    }
    resident = [...resident];
    for (const {kernel, sm} of placements[step]) {
      for (const each of sm) {
        started[kernel] = (started[kernel] ?? -1) + 1;
        resident.push({kernel, block: started[kernel], sm: each, since: step});
      }
    }
    return resident;
  });
}

function blocksBySm(blocks) {
  const bySm = new Map();
  for (const block of blocks) bySm.set(block.sm, [...(bySm.get(block.sm) ?? []), block]);
  return bySm;
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

function blockElement(recording, names, block, view) {
  const cluster = clusterOf(recording, block);
  const {chosen} = view;
  const isChosen = chosen && chosen.kernel === block.kernel && (cluster === null ? chosen.block === block.block : chosen.cluster === cluster);
  const classes = ['block', block.since === view.step ? 'fresh' : '', cluster !== null && cluster % 2 === 1 ? 'odd' : '', isChosen ? 'chosen' : ''];
  return el('span', {class: classes.join(' ').trim(), style: kernelColours(names.indexOf(block.kernel)),
    title: `${block.kernel}, block ${block.block}${cluster === null ? '' : `, cluster ${cluster}`}`,
    'data-kernel': block.kernel, 'data-block': block.block, 'data-cluster': cluster}, block.kernel.replace(/^k(?=\d)/, '').slice(0, 2));
}

/** SMs on which prediction and observation differ in what is resident. */
function differingSms(seen, predicted) {
  const key = (bySm, sm) => (bySm.get(sm) ?? []).map(({kernel, block}) => `${kernel}.${block}`).join(' ');
  const [one, other] = [blocksBySm(seen), blocksBySm(predicted)];
  return new Set([...one.keys(), ...other.keys()].filter((sm) => key(one, sm) !== key(other, sm)));
}

/** As large as the fullest SM of any step allows, so that nothing moves from step to step. */
function sizeBlocks(holder, steps) {
  const width = parseFloat(getComputedStyle(holder).getPropertyValue('--sm'));
  const most = Math.max(1, ...steps.flatMap((blocks) => [...blocksBySm(blocks).values()].map((some) => some.length)));
  const size = Math.min(26, Math.max(12, Math.floor(width / Math.ceil(Math.sqrt(most))) - 1));
  holder.style.setProperty('--block', `${size}px`);
  holder.style.setProperty('--rows', Math.ceil(most / Math.floor((width + 1) / (size + 1))));
}

function drawMap(holder, shown, view) {
  const recording = shown.recordings[view.recording];
  const names = Object.keys(recording.kernels);
  const steps = view.residents[Number(view.predicted)];
  const bySm = blocksBySm(steps[view.step]);
  const differing = differingSms(...view.residents.map((each) => each[view.step]));
  const smElement = (sm) => {
    const blocks = bySm.get(sm) ?? [];
    const words = smWords(sm, blocks) + (differing.has(sm) ? `; differs ${shown.predicted}` : '');
    return el('div', {class: differing.has(sm) ? 'sm differs' : 'sm', 'data-sm': sm, title: words, role: 'img', 'aria-label': words},
      el('i', {}, String(sm)), el('div', {class: 'blocks'}, ...blocks.map((block) => blockElement(recording, names, block, view))));
  };
  const gpcs = topologyOf(shown.device);
  const hasGpcs = Boolean(shown.device.gpc_of_sm);
  holder.className = shown.device.sms > 96 ? 'gpcs many' : 'gpcs';
  sizeBlocks(holder, steps);
  holder.replaceChildren(...[...gpcs].map(([gpc, tpcs]) => el('div', {class: 'gpc'},
    hasGpcs ? el('b', {}, `GPC ${gpc}`) : null,
    el('div', {class: 'tpcs'}, ...[...tpcs.values()].map((sms) => el('div', {class: 'tpc'}, ...sms.map(smElement)))))));
}

/** The kernels on the map, and how many blocks of each. */
function legendOf(recording, blocks) {
  const counts = new Map();
  for (const {kernel} of blocks) counts.set(kernel, (counts.get(kernel) ?? 0) + 1);
  const names = Object.keys(recording.kernels);
  return names.filter((name) => counts.has(name)).map((name) => el('li', {},
    el('i', {class: 'swatch', style: kernelColours(names.indexOf(name))}), `${name}: ${counts.get(name)} block${counts.get(name) > 1 ? 's' : ''}`));
}

const kernelFields = ['blocks', 'threads', 'registers', 'shared', 'local', 'cluster', 'stream', 'priority'];

function kernelTable(recording) {
  const fields = kernelFields.filter((field) => Object.values(recording.kernels).some((kernel) => kernel[field] !== undefined));
  const rows = Object.entries(recording.kernels).map(([name, kernel], index) => el('tr', {},
    el('th', {scope: 'row'}, el('i', {class: 'swatch', style: kernelColours(index)}), name),
    ...fields.map((field) => el('td', {class: 'number'}, kernel[field] === undefined ? '' : String(kernel[field])))));
  return table('Kernels', ['kernel', ...fields], [el('tbody', {}, ...rows)]);
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
    const alike = wrong.seen ? wrong.seen.findIndex((sm, i) => sm !== wrong.predicted[i]) : 0;
    const from = alike < 0 ? wrong.seen.length : alike;
    const show = (words, sms) => words ?? (sms.length <= from ? 'nothing' : `SM ${sms.slice(from, from + 12).join(' ')}${sms.length > from + 12 ? ' \u2026' : ''}`);
    lines.push(`${wrong.kernel}${from > 0 ? `, after ${from} alike` : ''}: ${shown.seen} ${show(wrong.seen_words, wrong.seen)}; ${shown.predicted} ${show(wrong.predicted_words, wrong.predicted)}`);
  }
  return lines;
}

/** Where a prediction goes wrong first; else where most of what was thought possible does; else the end. */
function tellingStep({wrong, contradicts, script}) {
  const first = wrong.find((each) => each.step >= 0);
  if (first) return first.step;
  const most = Math.max(0, ...(contradicts ?? []));
  return most > 0 ? contradicts.indexOf(most) : script.length - 1;
}

/** Recordings of a device, `seen` and `predicted` saying what is shown of them and what instead; at first `first`. */
function showMaps(section, shown) {
  if (shown.recordings.length === 0) {
    section.append(el('p', {}, 'Nothing was recorded.'));
    return;
  }
  section.tabIndex = 0;
  const view = {recording: 0, step: 0, predicted: false, chosen: null, residents: []};
  const number = el('input', {type: 'number', min: 1, max: shown.recordings.length, value: 1, id: 'recording', 'aria-label': 'recording'});
  const name = el('strong', {id: 'recording-name'});
  const says = el('p', {'aria-live': 'polite', id: 'step-says'});
  const holder = el('div', {id: 'sms'});
  const legend = el('ul', {class: 'legend'});
  const extra = el('ul', {id: 'facts'});
  const kernels = folded('Kernels of this probe');
  const predicted = el('input', {type: 'checkbox', id: 'predicted'});
  const predictedLabel = el('label', {}, predicted, ` ${shown.predicted}`);
  const back = el('button', {type: 'button', id: 'back', 'aria-label': 'Step back', click: () => stopAt(view.step - 1)}, '\u2190');
  const play = el('button', {type: 'button', id: 'play', click: () => (playing ? stopAt(view.step) : start())}, 'Play');
  const forward = el('button', {type: 'button', id: 'forward', 'aria-label': 'Step forward', click: () => stopAt(view.step + 1)}, '\u2192');
  const position = el('input', {type: 'range', id: 'step', min: 0, 'aria-label': 'step', input: () => stopAt(Number(position.value))});
  let playing = null;

  const draw = () => {
    const recording = shown.recordings[view.recording];
    const last = recording.script.length - 1;
    const wrongHere = recording.contradicts?.[view.step] ?? 0;
    name.textContent = recording.name;
    says.textContent = `Step ${view.step}${last > 0 ? ` of ${last}` : ''}: ${actionWords(recording.script[view.step])}.` +
      (wrongHere > 0 ? ` Here ${wrongHere} of ${shown.changes} mechanisms that differ in one value go wrong.` : '');
    for (const control of [back, play, forward, position]) control.hidden = last === 0;
    position.max = last;
    position.value = view.step;
    back.disabled = view.step === 0;
    forward.disabled = view.step === last;
    predictedLabel.hidden = recording.wrong.length === 0;
    drawMap(holder, shown, view);
    legend.replaceChildren(...legendOf(recording, view.residents[Number(view.predicted)][view.step]));
    extra.replaceChildren(...otherFacts(shown, recording, view.step).map((line) => el('li', {}, line)));
  };
  const go = (step) => {
    view.step = Math.min(Math.max(step, 0), shown.recordings[view.recording].script.length - 1);
    draw();
  };
  const stopAt = (step) => {
    clearInterval(playing);
    playing = null;
    play.textContent = 'Play';
    go(step);
  };
  const start = () => {
    go(forward.disabled ? 0 : view.step + 1);
    play.textContent = 'Stop';
    playing = setInterval(() => (forward.disabled ? stopAt(view.step) : go(view.step + 1)), 900);
  };
  const choose = (index) => {
    view.recording = Math.min(Math.max(index, 0), shown.recordings.length - 1);
    view.chosen = null;
    number.value = view.recording + 1;
    const recording = shown.recordings[view.recording];
    view.residents = [false, true].map((as) => residentBlocks(recording, as));
    kernels.replaceChildren(kernels.firstChild, kernelTable(recording));
    stopAt(tellingStep(recording));
  };
  window.chooseRecording = choose;
  number.addEventListener('change', () => choose(Math.round(number.valueAsNumber - 1) || 0));
  predicted.addEventListener('change', () => { view.predicted = predicted.checked; draw(); });
  holder.addEventListener('click', (event) => {
    const block = event.target.closest('.block');
    view.chosen = block && {kernel: block.dataset.kernel, block: Number(block.dataset.block),
      cluster: block.dataset.cluster === undefined ? null : Number(block.dataset.cluster)};
    draw();
  });
  section.addEventListener('keydown', (event) => {
    if (event.target.matches('input, select')) return;
    if (event.key === 'ArrowLeft') stopAt(view.step - 1);
    if (event.key === 'ArrowRight') stopAt(view.step + 1);
  });
  section.append(
    el('div', {class: 'controls'},
      shown.recordings.length > 1 ? el('label', {}, 'Recording ', number, ` of ${shown.recordings.length}`) : null,
      name, back, play, forward, position, predictedLabel),
    says, holder, legend, extra,
    el('p', {class: 'quiet'}, 'A square is a block, with its kernel\u2019s number and colour: framed if it started in this step, hatched if it is of every second cluster. Choose one to see its cluster. Arrow keys go from step to step.'),
    kernels);
  choose(shown.first ?? Math.max(0, shown.recordings.findIndex((recording) => recording.facts.some((fact) => fact.sm))));
}
