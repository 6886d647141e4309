// What the tests of the pages share: a visit that notes every error, request and dialog, and looks at what is drawn.
// Environment: CHROMIUM, the browser (default /usr/bin/chromium).
import { readFileSync } from 'node:fs';
import { check, made, open } from './browser.mjs';
import { hostile_names } from './samples.mjs';

export { check, finish, frames } from './browser.mjs';
export const read = (name) => JSON.parse(readFileSync(new URL(`pages_data/${name}.json`, import.meta.url), 'utf8'));

/** Opens a document and hands its page to `test`; afterwards no error, dialog or request may have been seen. */
export async function visit(name, document, test, screen = {}) {
  const { page, seen, close } = await open(made('page', document), screen);
  try {
    await test(page);
  } catch (error) {
    check(`${name}: runs to its end`, false, error.message);
  }
  check(`${name}: no error`, seen.errors.length === 0, seen.errors.join('; '));
  check(`${name}: no request leaves the page`, seen.requests.length === 0, seen.requests.join('; '));
  check(`${name}: no dialog`, seen.dialogs === 0);
  await close();
}

/** Texts of one drawing that cover each other; words outside of the window. */
export const overlaps = (page) =>
  page.evaluate(() => {
    const found = [];
    for (const picture of document.querySelectorAll('svg.plot, svg.ledger-axis, .scene-labels')) {
      const texts = [...picture.querySelectorAll('text, .scene-label')].filter(
        (t) => getComputedStyle(t).visibility !== 'hidden' && t.textContent,
      );
      const boxes = texts.map((t) => t.getBoundingClientRect());
      boxes.forEach((a, i) => {
        if (a.left < -1 || a.right > innerWidth + 1) found.push(`${texts[i].textContent} outside`);
        boxes.slice(0, i).forEach((b, k) => {
          const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
          const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
          if (across > 2 && down > 5) found.push(`${texts[i].textContent} on ${texts[k].textContent}`);
        });
      });
    }
    return found;
  });

export const shades = (page, nth) =>
  page.evaluate((k) => {
    const canvas = document.querySelectorAll('.cone-scene canvas')[k];
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, copy.width, copy.height).data;
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
    return { count: seen.size, url: canvas.toDataURL() };
  }, nth);

/** Every text and every key of the scene replaced by markup that would execute if it were read as such. */
export function poisoned(document) {
  const keep = new Set(['kind', 'status', 'source', 'role', 'verdict']);
  let i = 0;
  const poison = (value, key) => {
    if (typeof value === 'string')
      return keep.has(key) && !/^<|\s/.test(value) ? value : hostile_names[i++ % hostile_names.length];
    if (Array.isArray(value)) return value.map((item) => poison(item, key));
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, poison(v, k)]));
    return value;
  };
  const result = poison(document, '');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="alert(1)"><script>alert(1)</script><image href="https://example.org/x.png"/><rect width="40" height="40"/></svg>`;
  if (result.figure) result.figure = svg;
  if (result.data?.set) result.data.set = { [hostile_names[0]]: hostile_names[1] };
  for (const paper of result.papers ?? []) for (const figure of paper.figures) figure.svg = svg;
  return result;
}
