'use strict';

/** An element with attributes (functions are listeners, true and false set or leave out) and children. */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Hypotheses are long lists: a line may end behind their commas. */
function breakable(text) {
  return text.split(',').flatMap((part, i) => (i === 0 ? [part] : [',', el('wbr'), part]));
}

/** A table in a box that scrolls by itself; on a narrow screen each cell says what it is. */
function table(caption, headings, bodies, attributes = {}) {
  for (const row of bodies.flatMap((body) => [...body.rows])) {
    [...row.cells].forEach((cell, i) => (i > 0 || /^\d+$/.test(cell.textContent)) && headings[i] && cell.setAttribute('data-heading', headings[i]));
  }
  return el('div', {class: 'box', tabindex: 0, role: 'region', 'aria-label': caption},
    el('table', attributes, el('thead', {}, el('tr', {}, ...headings.map((text) => el('th', {scope: 'col'}, text)))), ...bodies));
}

/** What is not read by everybody. */
function folded(summary, ...children) {
  return el('details', {}, el('summary', {}, summary), ...children);
}

/** 3051267016089600 -> "3.1e15", as everywhere in cuvier. */
function counted(number) {
  if (number < 1e6) return Math.round(number).toLocaleString('en');
  const [mantissa, exponent] = number.toExponential(1).split('e');
  return `${mantissa}e${Number(exponent)}`;
}

/** Items of a long list: some at first, more when asked. */
function paged(list, items, make, first = 100) {
  let shown = 0;
  const more = el('button', {type: 'button', click: () => show(10 * first)}, '');
  const show = (count) => {
    list.append(...items.slice(shown, shown + count).map(make));
    shown = Math.min(items.length, shown + count);
    more.textContent = `Show more (${items.length - shown} left)`;
    more.hidden = shown === items.length;
  };
  show(first);
  return {more, showUpTo: (index) => { if (index >= shown) show(index + 1 - shown); }};
}
