// Building elements. Text goes in as text nodes only: nothing that comes from a scene is ever read as markup.

export type Child = Node | string | null | undefined | false;
export type Attributes = { [name: string]: string | number | boolean | null | undefined | ((event: Event) => void) };

const svg_namespace = 'http://www.w3.org/2000/svg';

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      if (!name.startsWith('on')) throw new Error(`${name}: a function is for events`);
      element.addEventListener(name.slice(2), value);
    } else if (name.startsWith('on')) {
      throw new Error(`${name}: an event handler is a function`);
    } else if (value === true) {
      element.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** el('button', { class: 'x', onclick: f }, 'text', node). Attribute names never come from a document. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** The same for SVG: svg('path', { d, class: 'line' }). */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svg_namespace, tag);
  fill(element, attributes, children);
  return element;
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  fill(element, {}, children);
}

/** A titled part of the page. */
export function section(title: string, ...children: Child[]): HTMLElement {
  return el('section', { class: 'card' }, el('h2', {}, title), ...children);
}

/** A table that scrolls sideways by itself where the page is narrow. `numeric` lists right-aligned columns. */
export function table(headings: Child[], rows: Child[][], numeric: number[] = []): HTMLElement {
  const kind = (column: number) => (numeric.includes(column) ? 'num' : null);
  return el(
    'div',
    { class: 'table-scroll', tabindex: 0 },
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, ...headings.map((h, i) => el('th', { scope: 'col', class: kind(i) }, h)))),
      el('tbody', {}, ...rows.map((row) => el('tr', {}, ...row.map((cell, i) => el('td', { class: kind(i) }, cell))))),
    ),
  );
}

/** SVG text as an image: in an image nothing executes and nothing is fetched. */
export function svg_image(text: string, alternative: string): HTMLImageElement {
  return el('img', { src: 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text), alt: alternative, class: 'figure' });
}

export function warning_list(warnings: string[]): HTMLElement | null {
  if (warnings.length === 0) return null;
  const title = warnings.length === 1 ? 'Warning' : `${warnings.length} warnings`;
  return el(
    'section',
    { class: 'warnings', role: 'alert', 'aria-label': title },
    el('h2', {}, title),
    el('ul', {}, ...warnings.map((w) => el('li', {}, w))),
  );
}
