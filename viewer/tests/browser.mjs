// A page in a real browser, watched: counting checks, opening files, looking at pixels.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { fill, read_template } from './packing.mjs';

let passed = 0;
let failed = 0;
export function check(what, good, detail = '') {
  if (good) ++passed;
  else {
    ++failed;
    console.log(`FAILED ${what}${detail === '' ? '' : `: ${detail}`}`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'routh-page-'));
const shots = process.env.ROUTH_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });
export const template = read_template();
/** Writes a page with a document, or a text as it is, and returns its path. */
export function made(name, document) {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, typeof document === 'string' ? document : fill(template, document));
  return path;
}

// WebGL by software. What else is on the page is drawn without it, which is much quicker.
const graphics = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
];
async function launch(args) {
  const executablePath = process.env.CHROMIUM || '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
  page = await (await browser.newContext()).newPage();
}
// One page for all files: to begin a new one costs more than most tests.
let browser, page;
await launch(graphics);

/** Goes on without WebGL. */
export async function without_webgl() {
  await browser.close();
  await launch(['--disable-gpu', '--disable-software-rasterizer', '--disable-3d-apis']);
}

/** Cleans up, tells the numbers and ends the program. */
export async function finish() {
  await browser.close();
  rmSync(folder, { recursive: true });
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

/**
 * Opens a file and notes every error, dialog and request that is not the file itself. One at a time; `close` forgets
 * what the page has stored.
 */
export async function open(path, { width = 1280, height = 900, scheme = 'light' } = {}) {
  const seen = { errors: [], requests: [], dialogs: 0 };
  const address = pathToFileURL(resolve(path)).href;
  const listeners = {
    console: (m) => ['error', 'warning'].includes(m.type()) && !/GPU stall|GL Driver/.test(m.text()) && seen.errors.push(m.text()),
    pageerror: (e) => seen.errors.push(String(e)),
    dialog: (d) => (++seen.dialogs, d.dismiss()),
    request: (r) => !/^(data|blob):/.test(r.url()) && r.url() !== address && seen.requests.push(r.url()),
  };
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  for (const [event, listener] of Object.entries(listeners)) page.on(event, listener);
  const start = Date.now();
  await page.goto(address);
  await page.waitForSelector('main > *, .message');
  await frames(page);
  seen.milliseconds = Date.now() - start;
  const close = async () => {
    await page.evaluate(() => localStorage.clear());
    for (const [event, listener] of Object.entries(listeners)) page.off(event, listener);
    await page.goto('about:blank');
  };
  return { page, seen, close };
}

export function frames(page) {
  return page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go, 30)))));
}
export async function picture(page, name) {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
}
export const state = (page) => page.evaluate(() => window.routh.state());

/** How many different colours the scene has: one means that nothing was drawn. */
export function scene_colours(page) {
  return page.evaluate(() => {
    const source = document.querySelector('.scene canvas');
    const copy = document.createElement('canvas');
    copy.width = source.width;
    copy.height = source.height;
    const context = copy.getContext('2d');
    context.drawImage(source, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const colours = new Set();
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) {
      const colour = data[i] * 65536 + data[i + 1] * 256 + data[i + 2];
      colours.add(colour);
      sum = (sum * 31 + colour) % 4294967296;
    }
    return { count: colours.size, sum };
  });
}
