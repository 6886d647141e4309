// The page in a real browser. Arguments: report files to check besides the documents made here.
// Environment: CHROMIUM, the browser (default /usr/bin/chromium); ROUTH_SHOTS, a folder for pictures.

import { check, finish, frames, made, open, picture, scene_colours, state, template, without_webgl } from './browser.mjs';
import { pack } from './packing.mjs';
import { bouncing_disc, hostile, hostile_names, long_run, sliding_box } from './samples.mjs';
import { every_shape } from './shapes.mjs';

async function check_quiet(name, seen) {
  check(`${name}: no error in the console`, seen.errors.length === 0, seen.errors.join(' | '));
  check(`${name}: no request leaves the page`, seen.requests.length === 0, seen.requests.join(' '));
}

async function check_fits(name, page) {
  const { width, extra } = await page.evaluate(() => ({ width: innerWidth, extra: document.documentElement.scrollWidth - innerWidth }));
  check(`${name}: no sideways scrolling at ${width} px`, extra <= 0, `${extra} px too wide`);
}

/** On narrower screens than `open` has. */
async function check_narrow(name, path) {
  for (const width of [360, 768]) {
    const { page, seen, close } = await open(path, { width, height: 740, scheme: width === 360 ? 'dark' : 'light' });
    await check_fits(name, page);
    await picture(page, `${name}-${width}`);
    await check_quiet(`${name} at ${width} px`, seen);
    await close();
  }
}

/** What every run page must do, whatever is in it. */
async function check_run(name, path) {
  const { page, seen, close } = await open(path);
  await check_quiet(name, seen);
  await check_fits(name, page);
  const { count } = await scene_colours(page);
  check(`${name}: the scene is drawn`, count > 3, `${count} colours`);
  const document_text = await page.$eval('#routh-document', (e) => e.textContent);
  const document = JSON.parse(document_text);
  await check_energy(name, page, document);
  const before = { ...(await scene_colours(page)), ...(await state(page)) };
  const end = document.outcome.time;
  await page.$eval('.scrub', (e) => {
    e.value = String(Number(e.min) + 0.37 * (Number(e.max) - Number(e.min)));
    e.dispatchEvent(new Event('input'));
  });
  await frames(page);
  const after = { ...(await scene_colours(page)), ...(await state(page)) };
  check(`${name}: scrubbing changes the time`, Math.abs(after.time - 0.37 * end) < 0.02 * end, `${after.time} of ${end}`);
  check(`${name}: scrubbing moves the mechanism`, after.sum !== before.sum);
  if (document.events.length > 0) await check_events(name, page, document);
  await picture(page, name);
  await close();
  await check_narrow(name, path);
}

async function check_energy(name, page, document) {
  const shown = await page.$eval('.energy-note', (e) => ({ ...e.dataset, text: e.textContent }));
  const raw = (packed) => {
    const bytes = Buffer.from(packed.base64, 'base64');
    return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };
  const { kinetic, potential, dissipated, supplied, corrected } = document.samples.energy;
  const last = (packed) => raw(packed).at(-1);
  const sum = last(kinetic) + last(potential) + last(dissipated) - last(supplied) - last(corrected);
  check(`${name}: the energy sum shown is the document's`, Math.abs(Number(shown.sum) - sum) <= 1e-12 * Math.max(1, Math.abs(sum)), `${shown.sum}, ${sum}`);
  const printed = shown.text.replace(/−/g, '-').match(/(?:sum|supplied|corrected)[^-\d]*(-?[\d.]+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?/);
  const power = [...(printed?.[2] ?? '⁰')].map((c) => (c === '⁻' ? '-' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c))).join('');
  const value = Number(printed?.[1]) * 10 ** Number(power);
  check(`${name}: it is printed to six digits`, Math.abs(value - sum) <= 6e-6 * Math.abs(sum) + 1e-300, `${shown.text}, ${sum}`);
  const legend = await page.$$eval('.run-legend .value', (list) => list.slice(0, 4).map((e) => e.textContent));
  check(`${name}: the legend tells the energies`, legend.length === 4 && legend.every((text) => /\d/.test(text)), legend.join(' '));
}

async function check_events(name, page, document) {
  await page.click('tr[data-event="0"]');
  await frames(page);
  const now = await state(page);
  check(`${name}: clicking an event jumps to it`, now.event === 0 && now.time === document.events[0].time, `${now.time}`);
  check(`${name}: the event is told in full`, await page.isVisible('.detail'));
  await page.keyboard.press('End');
  check(`${name}: End goes to the end`, Math.abs((await state(page)).time - document.outcome.time) < 1e-6 * Math.max(1, document.outcome.time));
  await page.keyboard.press('[');
  const back = await state(page);
  check(`${name}: [ goes to the last event`, document.events[back.event]?.time === back.time, `${back.event}`);
}

async function check_disc(path) {
  const { page, close } = await open(path);
  await page.click('button[aria-label="Play"]');
  await page.waitForTimeout(400);
  const playing = await state(page);
  check('playing moves the time', playing.playing && playing.time > 0.02);
  await page.keyboard.press(' ');
  const paused = await state(page);
  await page.waitForTimeout(150);
  check('space pauses', !paused.playing && (await state(page)).time === paused.time);
  await page.keyboard.press('+');
  check('+ is faster', (await state(page)).speed > paused.speed);
  await page.keyboard.press('?');
  check('? lists the keys', await page.isVisible('dialog.help'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('Home');
  await page.keyboard.press(']');
  check('] goes to the first event', (await state(page)).event === 0);
  await page.keyboard.press(']');
  check('] goes on to the second', (await state(page)).event === 1);
  check('an impact has its hodograph', (await page.$$('.detail svg.plot')).length === 1);
  const plot = await page.$('.run-plot .u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const middle = await state(page);
  check('clicking a plot goes to that time', Math.abs(middle.time - 1.5) < 0.02, `${middle.time}`);
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 5 });
  await page.mouse.up();
  const { range, time } = await state(page);
  check('dragging in a plot zooms all plots', Math.abs(range[0] - 0.75) < 0.03 && Math.abs(range[1] - 1.5) < 0.03, `${range}`);
  check('dragging does not move the time', time === middle.time);
  await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 40);
  check('double-click shows everything', (await state(page)).range[1] === 3);
  await page.selectOption('select[aria-label="Kind of event"]', 'zeno');
  check('the filter leaves one kind', (await page.$$('tr[data-event]')).length === 1);
  const before = await scene_colours(page);
  await page.click('header button');
  await page.click('header button');
  await frames(page);
  check('the theme can be changed', (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
  check('the scene follows the theme', (await scene_colours(page)).sum !== before.sum);
  await close();
}

async function check_hostile(path) {
  const { page, seen, close } = await open(path);
  await page.click('tr[data-event="0"]');
  await page.evaluate(() => document.querySelectorAll('details').forEach((d) => (d.open = true)));
  await frames(page);
  await check_quiet('hostile', seen);
  check('hostile names open no dialog', seen.dialogs === 0);
  const markup = await page.evaluate(() => document.querySelectorAll('#app script, #app img, #app [onerror]').length);
  check('hostile names make no elements', markup === 0, `${markup}`);
  const text = await page.evaluate(() => document.getElementById('app').textContent);
  check('hostile names are shown as they are', hostile_names.every((name) => text.includes(name)));
  check('hostile title is a title', hostile_names.includes(await page.title()));
  await picture(page, 'hostile');
  await close();
}

async function check_long(path, small) {
  // On a busy machine even a small page opens slowly; then the long one may take longer by as much. What else the
  // machine does comes and goes: some tries.
  let opened = null;
  let quiet = null;
  let allowed = 0;
  for (let attempt = 0; attempt < 6; ++attempt) {
    if (opened) await opened.close();
    quiet = await open(small);
    await quiet.close();
    allowed = 3000 * Math.max(1, quiet.seen.milliseconds / 1000);
    opened = await open(path);
    if (opened.seen.milliseconds < allowed) break;
  }
  const { page, seen, close } = opened;
  await check_quiet('long', seen);
  check(`10⁵ samples open within ${allowed} ms`, seen.milliseconds < allowed, `${seen.milliseconds} ms`);
  check('only the rows in sight exist', (await page.$$('tr[data-event]')).length < 60);
  // Time of the page's own work for a new time, without the drawing by the (software) graphics.
  const cost = await page.evaluate(async () => {
    const costs = [];
    for (let i = 0; i < 60; ++i) {
      const t = (400 * ((i * 37) % 60)) / 60;
      const start = performance.now();
      window.routh.seek(t);
      costs.push(performance.now() - start);
      await new Promise(requestAnimationFrame);
    }
    return costs.sort((a, b) => a - b)[30];
  });
  check('scrubbing is quick', cost < 4, `${cost} ms`);
  await page.$eval('.event-scroll', (e) => (e.scrollTop = e.scrollHeight / 2));
  await frames(page);
  const middle = await page.$$eval('tr[data-event]', (rows) => Number(rows[Math.floor(rows.length / 2)].dataset.event));
  check('the event table scrolls to its middle', Math.abs(middle - 5100) < 300, `${middle}`);
  await picture(page, 'long');
  console.log(`10⁵ samples: open in ${seen.milliseconds} ms (a small page in ${quiet.seen.milliseconds} ms), a new time costs ${cost.toFixed(2)} ms`);
  await close();
}

async function check_messages() {
  const broken = bouncing_disc();
  broken.samples.time = pack('f64', [3], [0, 1, 2]);
  const cases = {
    'empty page': [template, /empty page/],
    'no JSON': [template.replace('@ROUTH_DOCUMENT@', '{"routh": 1, '), /not valid JSON/],
    'other version': [template.replace('@ROUTH_DOCUMENT@', '{"routh": 9, "kind": "run"}'), /version 9/],
    'unknown kind': [template.replace('@ROUTH_DOCUMENT@', '{"routh": 1, "kind": "song"}'), /song/],
    'broken arrays': [broken, /samples\.time/],
  };
  for (const [name, [document, pattern]] of Object.entries(cases)) {
    const { page, seen, close } = await open(made(name.replace(' ', '-'), document));
    const text = await page.textContent('.message').catch(() => '');
    check(`${name}: a readable message`, pattern.test(text), text);
    await check_quiet(name, seen);
    await close();
  }
}

async function check_other(name, path) {
  const { page, seen, close } = await open(path);
  await check_quiet(name, seen);
  await check_fits(name, page);
  check(`${name}: shows no failure`, (await page.$('.message')) === null, (await page.textContent('.message').catch(() => '')) ?? '');
  await picture(page, name);
  await close();
  await check_narrow(name, path);
}

async function check_file(path) {
  const { page, close } = await open(path);
  const kind = await page.evaluate(() => document.documentElement.dataset.kind);
  await close();
  const name = path.split('/').pop().replace(/\.html$/, '');
  if (kind === 'run') await check_run(name, path);
  else await check_other(name, path);
}

async function check_no_webgl(path) {
  await without_webgl();
  const { page, close } = await open(path);
  check('without WebGL the page says so', /no WebGL/.test((await page.textContent('.scene')) ?? ''));
  await page.click('tr[data-event="0"]');
  check('without WebGL everything else works', (await state(page)).event === 0 && (await page.$$('.u-over')).length > 0);
  await close();
}

try {
  check('the page is under 2 MB', template.length < 2e6, `${template.length} bytes`);
  const disc = made('disc', bouncing_disc());
  await check_run('disc', disc);
  await check_run('box', made('box', sliding_box()));
  await check_run('shapes-planar', made('shapes-planar', every_shape('planar')));
  await check_run('shapes-spatial', made('shapes-spatial', every_shape('spatial')));
  await check_disc(disc);
  await check_hostile(made('hostile', hostile()));
  await check_long(made('long', long_run()), disc);
  await check_messages();
  for (const path of process.argv.slice(2)) await check_file(path);
  await check_no_webgl(disc);
} catch (error) {
  check('the tests run to their end', false, error.stack);
}
await finish();
