'use strict';

/** Words with marks: text, {code} and {strong}; a line break is one. */
function marked(text) {
  return text.flatMap((span) => {
    if (typeof span !== 'string') {
      const [mark, words] = Object.entries(span)[0];
      return [el(mark, {}, ...breakable(words))];
    }
    return span.split('\n').flatMap((line, i) => [...(i === 0 ? [] : [el('br')]), ...breakable(line)]);
  });
}

const plain = (text) => text.map((span) => (typeof span === 'string' ? span : Object.values(span)[0])).join('');

/** A text for each of its lines. */
function linesOf(text) {
  const lines = [[]];
  for (const span of text) {
    const parts = typeof span === 'string' ? span.split('\n') : [span];
    parts.forEach((part, i) => {
      if (i > 0) lines.push([]);
      lines[lines.length - 1].push(part);
    });
  }
  return lines;
}

/** The verdict in a line, and what follows from it. */
function showVerdict(section, tone, text) {
  const [first, ...others] = linesOf(text);
  section.append(
    el('p', {class: `verdict ${tone} ${typeof first[0] === 'string' ? 'sentence' : ''}`.trim()}, el('strong', {}, ...marked(first))),
    ...others.map((line) => el('p', {class: 'sentence'}, ...marked(line))));
}

/** What stands in numbers reads better on the right. */
const isNumber = (cell) => /^([\d.,]+( %| ms| s)?)?$/.test(plain(cell));

function showTable(section, {caption, headings, rows}) {
  const numeric = headings.map((_, i) => i > 0 && rows.every((row) => isNumber(row[i])));
  const cell = (text, i) => (i === 0 ? el('th', {scope: 'row'}, ...marked(text))
    : el('td', {class: numeric[i] ? 'number' : false}, ...marked(text)));
  const body = el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map(cell))));
  const box = table(caption, headings, [body], {class: 'document'});
  box.querySelectorAll('thead th').forEach((heading, i) => heading.classList.toggle('number', numeric[i]));
  const many = 20;  // so many nobody reads unasked
  section.append(rows.length < many ? box : folded(`${rows.length} rows: ${caption}`, box));
}

const shows = {
  text: (section, text) => section.append(el('p', {}, ...marked(text))),
  table: showTable,
  list: (section, lines) => section.append(el('ul', {}, ...lines.map((line) => el('li', {}, ...marked(line))))),
  source: (section, {text}) => section.append(el('pre', {class: 'box', tabindex: 0}, el('code', {}, text))),
  chart: showChart,
  map: showMaps,
};

const kindOf = (item) => Object.keys(item)[0];
const hasMap = (section) => section.items.some((item) => kindOf(item) === 'map');

/** Its map is what one looks at first. */
function showItems(section, items) {
  for (const item of items.filter((each) => kindOf(each) !== 'map')) shows[kindOf(item)](section, Object.values(item)[0]);
}

function showInner(section, inner) {
  const many = 8;  // from so many on one looks for one of them
  for (const each of inner) {
    const title = el('h3', {class: typeof each.title[0] === 'string' && 'sentence'}, ...marked(each.title));
    const into = inner.length < many ? section : folded(title);
    section.append(into === section ? title : into);
    showItems(into, each.items);
  }
}

/** Sections below one another become one with headings in it; first the one with a map. */
function documentSections(sections) {
  const outer = [];
  for (const section of sections) {
    if (section.level === 2) outer.push({...section, inner: []});
    else outer[outer.length - 1].inner.push(section);
  }
  const mapOf = ({items, inner}) => [{items}, ...inner].find(hasMap)?.items.find((item) => kindOf(item) === 'map');
  outer.sort((one, other) => Boolean(mapOf(other)) - Boolean(mapOf(one)));
  return outer.map((each, index) => ({
    id: `section-${index + 1}`,
    link: plain(each.title),
    title: each.title,
    show: (section) => {
      const map = mapOf(each);
      if (map) showMaps(section, map.map);
      showItems(section, each.items);
      showInner(section, each.inner.filter(({items}) => items.some((item) => item !== map)));
    },
  }));
}

function showNumbers(section, numbers) {
  if (numbers.length === 0) return;
  section.append(el('dl', {class: 'numbers'}, ...numbers.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)])));
}

/** The page of any other report (reports/document/page.h). */
function documentPage(page) {
  return {
    kind: 'How GPUs schedule thread blocks',
    title: page.title,
    about: page.about,
    sections: [
      {id: 'verdict', link: 'Verdict', title: ['Verdict'],
        show: (section) => { showVerdict(section, page.tone, page.verdict); showNumbers(section, page.numbers); }},
      ...documentSections(page.sections),
    ],
  };
}
