'use strict';

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
  window.addEventListener('beforeprint', openForPrint);
  document.documentElement.dataset.ready = 'yes';
});
