// Pages that compute, in a real browser: a body is dragged, thrown and poked, sliders are moved, energy follows.
// Environment: ROUTH, the program; ROUTH_SOURCE, the sources; CHROMIUM and ROUTH_SHOTS as in e2e.mjs.

import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish, frames, made, open, picture, scene_colours, state } from './browser.mjs';

const program = process.env.ROUTH;
const source = process.env.ROUTH_SOURCE;
if (!program || !source) throw new Error('ROUTH and ROUTH_SOURCE say where the program and its sources are');

/** The page that the program makes of a scene. */
function page_of(scene) {
  const path = made(scene.replace(/\W/g, '_'), '');
  execFileSync(program, ['play', join(source, scene), '-q', '-o', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  return path;
}

async function opened(path, options) {
  const view = await open(path, options);
  await view.page.waitForSelector('.play-page', { timeout: 30_000 });
  await frames(view.page);
  return view;
}

function quiet(name, seen) {
  check(`${name}: no error in the console`, seen.errors.length === 0, seen.errors.join(' | '));
  check(`${name}: no request leaves the page`, seen.requests.length === 0, seen.requests.join(' '));
}

async function fits(name, page) {
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(`${name}: no sideways scrolling`, extra <= 0, `${extra} px too wide`);
}

/** Until `good(state)` holds, for at most so many seconds; the last state. */
async function until(page, good, seconds = 20) {
  const end = Date.now() + 1000 * seconds;
  let now = await state(page);
  while (!good(now) && Date.now() < end) {
    await frames(page);
    now = await state(page);
  }
  return now;
}

/** Where a body is on the screen, in pixels of the window. */
async function place_of(page, body) {
  const [x, y] = await page.evaluate((b) => window.routh.where(b), body);
  const box = await page.locator('.scene').boundingBox();
  return [box.x + x, box.y + y];
}

async function set_slider(page, label, value) {
  await page.$eval(`input[aria-label^="${label}"]`, (e, v) => {
    for (let part = e; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true;
    e.value = String(v);
    e.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
  await frames(page);
}

/**
 * K + V + dissipated − supplied − corrected is what it was, to the tolerance of a page and to what the errors of fixed steps
 * through crowds sum up to, which is small, too.
 */
function balances(name, { kinetic, potential, dissipated, supplied, corrected, step_errors, initial }) {
  const size = Math.max(...[kinetic, potential, dissipated, supplied, initial].map(Math.abs), 1e-12);
  const off = Math.abs(kinetic + potential + dissipated - supplied - corrected - initial);
  check(`${name}: the energy balances`, off < 1e-5 * size + step_errors, `${off} of ${size} J, steps ${step_errors} J`);
  check(`${name}: fixed steps are off by little`, step_errors < 0.05 * size, `${step_errors} of ${size} J`);
}

/** Runs, pauses, steps, resets; drags, throws and pokes a body. */
async function check_hand(name, path, body) {
  const { page, seen, close } = await opened(path);
  const start = await state(page);
  check(`${name}: it waits at the start`, start.going === 'paused');
  check(`${name}: the scene is drawn`, (await scene_colours(page)).count > 3);
  await picture(page, `play-${name}-start`);

  await page.click('button[aria-label^="Run"]');
  const running = await until(page, (s) => s.time > start.time + 0.05);
  check(`${name}: it runs`, running.time > start.time + 0.05, `${running.time}`);
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(' ');
  const paused = await state(page);
  await page.waitForTimeout(120);
  check(`${name}: space pauses`, (await state(page)).time === paused.time && paused.going === 'paused');
  balances(name, paused);
  await page.click('button[aria-label^="Back to the start"]');
  await frames(page);
  const again = await state(page);
  check(`${name}: reset gives the first state back`, JSON.stringify([again.q, again.v]) === JSON.stringify([start.q, start.v]));
  await page.click('button[aria-label^="To the next event"]');
  const event = await until(page, (s) => s.going === 'paused' && s.events > 0);
  check(`${name}: it steps to the next event`, event.events >= 1 && event.latest !== null, `${event.events}`);

  const [x, y] = await place_of(page, body);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 25, y - 40, { steps: 4 });
  await page.mouse.move(x + 60, y - 110, { steps: 6 });
  const held = await until(page, (s) => s.holding && s.supplied !== event.supplied && s.time > event.time + 0.05);
  check(`${name}: dragging pulls the body`, held.holding && held.going === 'running');
  check(`${name}: the hand supplies energy`, held.supplied !== event.supplied, `${held.supplied}`);
  await picture(page, `play-${name}-drag`);
  await page.mouse.up();
  const thrown = await until(page, (s) => !s.holding && s.time > held.time + 0.02);
  check(`${name}: it is thrown`, !thrown.holding && Math.max(...thrown.v.map(Math.abs)) > 0);
  balances(`${name} after the throw`, thrown);
  await page.click('button[aria-label^="Back to the start"]');
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press(' ');
  await until(page, (s) => s.going === 'paused');
  await page.click('button[aria-label^="Back to the start"]');
  await frames(page);
  const before = await state(page);
  await page.mouse.click(...(await place_of(page, body)));
  const poked = await until(page, (s) => s.supplied !== before.supplied, 10);
  check(`${name}: a click pokes`, poked.supplied !== before.supplied && poked.going === 'running', `${poked.supplied}`);
  quiet(name, seen);
  await fits(name, page);
  await close();
}

/** Friction and gravity are changed while it runs. */
async function check_sliders(path) {
  const { page, seen, close } = await opened(path);
  const before = await state(page);
  await set_slider(page, 'gravity along y', 0);
  const light = await state(page);
  check('without gravity there is no potential energy', Math.abs(light.potential) < 1e-12, `${light.potential}`);
  check('changing gravity leaves the motion', JSON.stringify(light.v) === JSON.stringify(before.v));
  await page.click('text=as in the file');
  await frames(page);
  check('the file’s values come back', Math.abs((await state(page)).potential - before.potential) < 1e-9);
  const slider = await page.$eval('[data-group="Start"] input', (e) => ({ label: e.ariaLabel, low: Number(e.min), high: Number(e.max) }));
  await set_slider(page, slider.label, 0.4 * slider.low + 0.6 * slider.high);
  const moved = await state(page);
  check('the start can be changed', JSON.stringify(moved.q) !== JSON.stringify(before.q));
  await page.selectOption('select[data-path="/options/law"]', 'poisson');
  await frames(page);
  check('a law can be chosen', (await page.textContent('.play-note')) === '');
  quiet('sliders', seen);
  await close();
}

async function check_phone(name, path) {
  for (const [width, scheme] of [[360, 'dark'], [768, 'light']]) {
    const { page, seen, close } = await opened(path, { width, height: 740, scheme });
    await page.click('button[aria-label^="Run"]');
    await until(page, (s) => s.time > 0.2);
    await fits(`${name} at ${width} px`, page);
    await picture(page, `play-${name}-${width}`);
    quiet(`${name} at ${width} px`, seen);
    await close();
  }
}

/** The page of an impact answers anew when a number under a slider changes. */
async function check_impact(name, file) {
  const path = made(`impact_${name}`, '');
  execFileSync(program, ['impact', join(source, file), '--html', path], { stdio: 'ignore' });
  const size = statSync(path).size;
  check(`${name}: the page of an impact is under 4 MB`, size < 4e6, `${size}`);
  for (const [width, scheme] of [[1200, 'light'], [360, 'dark']]) {
    const { page, seen, close } = await open(path, { width, height: 800, scheme });
    await page.waitForSelector('.impact-sliders', { timeout: 30_000 });
    const shown = () => page.textContent('.strike');
    const asked = await page.$eval('#routh-document', (e) => JSON.parse(e.textContent).questions[0].surface.restitution.normal);
    const before = await shown();
    await set_slider(page, 'restitution', asked === 0 ? 0.4 : 0);
    await frames(page);
    const after = await shown();
    check(`${name}: another restitution gives another answer`, after !== before && (await page.textContent('.impact-sliders .play-note')) === '');
    await page.click('text=as in the file');
    await frames(page);
    await frames(page);
    check(`${name}: the file’s numbers give the file’s answer`, (await shown()) === before);
    await fits(`${name} at ${width} px`, page);
    await picture(page, `impact-${name}-${width}`);
    quiet(`${name} at ${width} px`, seen);
    await close();
  }
}

/** What happens at the start is told before anything runs. */
async function check_strike_at_start(path) {
  const { page, close } = await opened(path);
  const { going, latest } = await state(page);
  check('a strike at the start is shown before it runs', going === 'paused' && latest === 'impact', `${going} ${latest}`);
  await page.click('button[aria-label^="Run"]');
  await until(page, (s) => s.time > 0.2);
  await page.click('button[aria-label^="Run"]');
  await until(page, (s) => s.going === 'paused');
  await page.click('button[aria-label^="Back to the start"]');
  const again = await until(page, (s) => s.time === 0);
  check('and again after Reset', again.latest === 'impact', `${again.latest}`);
  await close();
}

const kane = page_of('examples/kane.yaml');
const bytes = statSync(kane).size;
check('a page is under 4 MB', bytes < 4e6, `${bytes}`);
await check_hand('kane', kane, 2);
await check_sliders(kane);
await check_strike_at_start(kane);
await check_impact('kane', 'examples/kane.yaml');
await check_impact('jam', 'examples/jam.json');
await check_impact('spatial', 'examples/spatial.json');
await check_hand('superball', page_of('examples/superball.yaml'), 1);
await check_hand('quadruped', page_of('examples/quadruped_stand.yaml'), 1);
await check_phone('kane', kane);
await check_phone('rattleback', page_of('examples/rattleback.yaml'));
finish();
