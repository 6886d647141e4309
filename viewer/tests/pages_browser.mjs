// What the tests of the pages share: a browser, a visit that notes every error, request and dialog, and looks at pixels.
// Environment: CHROMIUM, the browser (default /usr/bin/chromium); ROUTH_PAGE, the built page (default dist/index.html).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { fill, read_template } from './packing.mjs';
import { hostile_names } from './samples.mjs';

let passed = 0;
let failed = 0;
export function check(what, good, detail = '') {
  if (good) ++passed;
  else {
    ++failed;
    console.log(`FAILED ${what}${detail === '' ? '' : `: ${detail}`}`);
  }
}

const template = process.env.ROUTH_PAGE ? readFileSync(process.env.ROUTH_PAGE, 'utf8') : read_template();
const folder = mkdtempSync(join(tmpdir(), 'routh-pages-'));
export const read = (name) => JSON.parse(readFileSync(new URL(`pages_data/${name}.json`, import.meta.url), 'utf8'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});

export const frames = (page) =>
  page.evaluate(
    () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 30)))),
  );

/** Opens a document and hands its page to `test`; afterwards no error, dialog or request may have been seen. */
export async function visit(name, document, test, { width = 1280, scheme = 'light' } = {}) {
  const file = join(folder, 'page.html');
  writeFileSync(file, fill(template, document));
  const address = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme });
  const page = await context.newPage();
  const seen = { errors: [], requests: [], dialogs: 0 };
  page.on(
    'console',
    (m) =>
      ['error', 'warning'].includes(m.type()) && !/GPU stall|GL Driver/.test(m.text()) && seen.errors.push(m.text()),
  );
  page.on('pageerror', (e) => seen.errors.push(String(e)));
  page.on('dialog', (d) => (++seen.dialogs, d.dismiss()));
  page.on('request', (r) => !/^(data|blob):/.test(r.url()) && r.url() !== address && seen.requests.push(r.url()));
  await page.goto(address);
  await page.waitForSelector('main > *');
  await frames(page);
  try {
    await test(page);
  } catch (error) {
    check(`${name}: runs to its end`, false, error.message);
  }
  check(`${name}: no error`, seen.errors.length === 0, seen.errors.join('; '));
  check(`${name}: no request leaves the page`, seen.requests.length === 0, seen.requests.join('; '));
  check(`${name}: no dialog`, seen.dialogs === 0);
  await context.close();
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

/** Closes the browser, prints the sum and ends the program. */
export async function finish() {
  await browser.close();
  rmSync(folder, { recursive: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
