'use strict';

/** Light or dark: as chosen before, or as the system has it. */
function showTheme(button, changed) {
  const remembered = () => {
    try {
      return localStorage.getItem('cuvier-theme');
    } catch {
      return null;  // a page from a file may have no storage
    }
  };
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = theme === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${theme === 'dark' ? 'light' : 'dark'} colours`);
    changed();
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  apply(remembered() ?? (system.matches ? 'dark' : 'light'));
  button.addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('cuvier-theme', theme);
    } catch {
      // then it is not remembered
    }
    apply(theme);
  });
}

function openForPrint() {
  for (const details of document.querySelectorAll('details')) details.open = true;
}

document.addEventListener('DOMContentLoaded', () => {
  const report = JSON.parse(document.getElementById('report').textContent);
  const section = (id) => document.getElementById(id);
  document.title = `${report.title}: cuvier`;
  section('title').textContent = report.title;
  section('asked').textContent = `${report.model.device.architecture}, ${report.model.device.sms} SMs. Asked: ${report.model.oracle}`;
  showVerdict(section('verdict'), report);
  showSentences(section('does'), report);
  showAxes(section('values'), report);
  const draw = showChart(section('bits'), report);
  showSteps(section('bits'), report);
  showMaps(section('map'), report);
  showMatrix(section('evidence'), report);
  showNoise(section('noise'), report);
  showCheck(section('check'), report);
  section('map').tabIndex = 0;
  showTheme(section('theme'), draw);
  window.addEventListener('beforeprint', openForPrint);
  document.documentElement.dataset.ready = 'yes';
});
