'use strict';

/** Words with marks: text, {code} and {strong}; a line break is one. */
function marked(text) {
  return text.flatMap((span) => {
    if (typeof span !== 'string') {
      const [mark, words] = Object.entries(span)[0];
      return [el(mark, {}, words)];
    }
    return span.split('\n').flatMap((line, i) => [...(i === 0 ? [] : [el('br')]), ...breakable(line)]);
  });
}

const plain = (text) => text.map((span) => (typeof span === 'string' ? span : Object.values(span)[0])).join('');

/** What stands in numbers reads better on the right. */
const isNumber = (cell) => /^([\d.,]+( %| ms| s)?)?$/.test(plain(cell));

function showTable(section, {caption, headings, rows}) {
  const numeric = headings.map((_, i) => i > 0 && rows.every((row) => isNumber(row[i])));
  const cell = (text, i) => (i === 0 ? el('th', {scope: 'row'}, ...marked(text))
    : el('td', {class: numeric[i] ? 'number' : false}, ...marked(text)));
  const box = table(caption, headings, rows.map((row) => el('tr', {}, ...row.map(cell))), {class: 'document'});
  box.querySelectorAll('thead th').forEach((heading, i) => heading.classList.toggle('number', numeric[i]));
  section.append(box);
}

const shows = {
  text: (section, text) => section.append(el('p', {}, ...marked(text))),
  table: showTable,
  list: (section, lines) => section.append(el('ul', {}, ...lines.map((line) => el('li', {}, ...marked(line))))),
  source: (section, {text}) => section.append(el('pre', {class: 'box', tabindex: 0}, el('code', {}, text))),
  chart: showChart,
  map: showMaps,
};

function showItems(section, items) {
  for (const item of items) {
    const [kind, value] = Object.entries(item)[0];
    shows[kind](section, value);
  }
}

/** Sections below one another become one with headings in it. */
function documentSections(sections) {
  const outer = [];
  for (const section of sections) {
    if (section.level === 2) outer.push({...section, inner: []});
    else outer[outer.length - 1].inner.push(section);
  }
  return outer.map(({title, items, inner}, index) => ({
    id: `section-${index + 1}`,
    link: plain(title),
    title,
    show: (section) => {
      showItems(section, items);
      for (const each of inner) {
        section.append(el('h3', {}, ...marked(each.title)));
        showItems(section, each.items);
      }
    },
  }));
}

function showDocumentVerdict(section, page) {
  section.append(el('div', {class: `verdict ${page.tone}`}, el('strong', {}, ...marked(page.verdict))));
  if (page.numbers.length === 0) return;
  section.append(el('dl', {class: 'numbers'},
    ...page.numbers.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))));
}

/** The page of any other report (reports/document/page.h). */
function documentPage(page) {
  return {
    kind: 'How GPUs schedule thread blocks',
    title: page.title,
    about: page.about,
    sections: [
      {id: 'verdict', link: 'Verdict', title: ['Verdict'], show: (section) => showDocumentVerdict(section, page)},
      ...documentSections(page.sections),
    ],
  };
}
