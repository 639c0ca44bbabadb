'use strict';

const mapOf = (report) => ({device: report.model.device, recordings: report.recordings, seen: 'as seen', predicted: 'as predicted'});

/** The page of an inference: its head, and its sections in their order. */
function inferencePage(report) {
  const {device, oracle} = report.model;
  return {
    kind: 'How this GPU schedules thread blocks',
    title: [report.title],
    about: [`${device.architecture}, ${device.sms} SMs. Asked: ${oracle}`],
    sections: [
      {id: 'verdict', link: 'Verdict', title: ['Verdict'], show: (section) => showVerdict(section, report)},
      {id: 'does', link: 'What it does', title: ['What it does'], show: (section) => showSentences(section, report)},
      {id: 'values', link: 'Values', title: ['What became of each value'],
        intro: 'Every axis of the space, and which probe ruled each of its values out: the first from which on no hypothesis with the value was left.',
        show: (section) => showAxes(section, report)},
      {id: 'bits', link: 'Probes', title: ['How that is known'],
        intro: 'Each probe halves the hypotheses once for every bit that it tells.',
        show: (section) => { showBits(section, report); showSteps(section, report); }},
      {id: 'map', link: 'Map', title: ['Where blocks went'], show: (section) => showMaps(section, mapOf(report))},
      {id: 'evidence', link: 'Evidence', title: ['What each recording contradicts'],
        intro: 'The mechanism with one value changed and all others as they are: which recordings say otherwise. Where none does, the value may still be ruled out by several changes together, or the recordings leave it open.',
        show: (section) => showMatrix(section, report)},
      {id: 'confirmed', link: 'Confirmed', title: ['What was asked beside that'],
        intro: 'A mechanism that nobody imagined shows only where it was looked for. A kind of launch that was not asked says nothing.',
        show: (section) => showConfirmed(section, report)},
      {id: 'noise', link: 'Noise', title: ['Readings that do not count'], show: (section) => showNoise(section, report)},
      {id: 'check', link: 'Check it', title: ['How to check it'], show: (section) => showCheck(section, report)},
    ],
  };
}
