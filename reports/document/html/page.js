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

/** The link to a section, and the section itself. */
function addSection(nav, main, {id, link, title, intro, show}) {
  nav.append(el('a', {href: `#${id}`}, link));
  const section = el('section', {id, 'aria-labelledby': `${id}-title`},
    el('h2', {id: `${id}-title`}, ...marked(title)), intro ? el('p', {}, intro) : null);
  main.append(section);
  show(section);
}

document.addEventListener('DOMContentLoaded', () => {
  const report = JSON.parse(document.getElementById('report').textContent);
  const page = report.kind === 'inference' ? inferencePage(report) : documentPage(report);
  document.title = `${plain(page.title)}: cuvier`;
  document.getElementById('kind').textContent = page.kind;
  document.getElementById('title').append(...marked(page.title));
  document.getElementById('about').append(...marked(page.about));
  for (const section of page.sections) addSection(document.querySelector('nav'), document.querySelector('main'), section);
  showTheme(document.getElementById('theme'), () => redraws.forEach((draw) => draw()));
  window.addEventListener('beforeprint', openForPrint);
  document.documentElement.dataset.ready = 'yes';
});
