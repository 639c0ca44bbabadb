'use strict';

// Lines differ by their dashes, too: the first is solid, and wide enough to be seen below the others.
const lineColours = ['--accent', '--bad', '--good', '--third', '--quiet', '--ink'];
const lineDashes = ['', '9 4', '3 3', '12 3 3 3', '1 4', '6 6'];
const lineStyle = (i, count) => `stroke: var(${lineColours[i % lineColours.length]}); ` +
  `stroke-dasharray: ${lineDashes[i % lineDashes.length] || 'none'}; stroke-width: ${i < count - 1 ? Math.max(2, 6 - 2 * i) : 2}`;

/** From zero to the first of them that is no less than the most. */
function ticksTo(most, wanted) {
  const rough = Math.max(most, 1e-9) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough);
  return Array.from({length: Math.ceil(most / step - 1e-9) + 1}, (_, i) => i * step);
}

const shortNumber = (number) => Number(number.toPrecision(3)).toLocaleString('en');

/** As steps: each value holds until the next. */
function drawLines(width, lines) {
  const height = 220;
  const [left, right, top, bottom] = [52, 12, 8, 24];
  const lastX = Math.max(...lines.map(({x_step, values}) => x_step * values.length));
  const ys = ticksTo(Math.max(...lines.flatMap(({values}) => values), 0), 4);
  const xs = ticksTo(lastX, Math.max(3, width / 120)).filter((tick) => tick <= lastX);
  const x = (value) => left + value / lastX * (width - left - right);
  const y = (value) => height - bottom - value / ys[ys.length - 1] * (height - top - bottom);
  const path = ({x_step, values}) => values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i * x_step)},${y(value)}H${x((i + 1) * x_step)}`).join('');
  return `<svg aria-hidden="true" width="${width}" height="${height}">
    ${ys.map((tick) => `<path class="grid" d="M${left},${y(tick)}H${width - right}"/><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${shortNumber(tick)}</text>`).join('')}
    ${xs.map((tick) => `<text x="${x(tick)}" y="${height - 6}" text-anchor="middle">${shortNumber(tick)}</text>`).join('')}
    ${lines.map((line, i) => `<path style="${lineStyle(i, lines.length)}" d="${path(line)}"/>`).join('')}</svg>`;
}

function lineWords({name, values}) {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
  return `${name}: ${shortNumber(mean)} on average, ${shortNumber(Math.max(...values, 0))} at most`;
}

/** A chart of a page (reports/document/page.h). */
function showChart(section, {title, x_label, lines}) {
  const holder = el('div');
  const legend = el('ul', {class: 'legend'}, ...lines.map((line, i) => {
    const item = el('li', {}, el('i', {'aria-hidden': 'true'}), lineWords(line));
    item.firstChild.innerHTML = `<svg width="34" height="8"><path style="${lineStyle(i, lines.length)}" d="M0,4H34"/></svg>`;
    return item;
  }));
  section.append(el('figure', {class: 'chart'}, el('figcaption', {}, `${title}, over ${x_label}`), holder, legend));
  let drawn = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth === drawn) return;
    drawn = holder.clientWidth;
    holder.innerHTML = drawLines(drawn, lines);
  }).observe(holder);
}
