// The pages of impacts, diagnoses, maps and papers in a real browser, from file://.
// Environment: CHROMIUM, as in browser.mjs; ROUTH_SHOTS, a folder for pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish, frames, overlaps, poisoned, read, shades, visit } from './pages_browser.mjs';
import { hostile_names } from './samples.mjs';

const shots = process.env.ROUTH_SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

const names = [
  'impact_planar',
  'impact_spatial',
  'impact_scene',
  'impact_several',
  'impact_none',
  'diagnosis_planar',
  'diagnosis_spatial',
  'map_kinds',
  'map_numbers',
  'papers',
];
for (const name of names) {
  const document = read(name);
  for (const [width, scheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ]) {
    const what = `${name} ${width} ${scheme}`;
    await visit(
      what,
      document,
      async (page) => {
        check(`${what}: its title`, (await page.textContent('h1')) === document.title);
        check(`${what}: shown in full`, (await page.locator('.message').count()) === 0);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(`${what}: no scrolling sideways`, wide <= 0, `${wide} px`);
        const covered = await overlaps(page);
        check(`${what}: no words on words`, covered.length === 0, covered.slice(0, 5).join('; '));
        if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`), fullPage: true });
      },
      { width, scheme },
    );
  }
}

await visit('impact', read('impact_planar'), async (page) => {
  check(
    'impact: warnings come first',
    (await page.evaluate(() =>
      document.querySelector('.warnings').compareDocumentPosition(document.querySelector('main')),
    )) === 4,
  );
  check('impact: who gains is said first', /Classical gains 0\.489/.test(await page.textContent('.findings li')));
  check('impact: five laws', (await page.locator('table.laws').first().locator('thead th.num').count()) === 5);
  check(
    'impact: a law that gains is flagged',
    /⚠ gains 0\.489/.test(await page.locator('.ledger-verdict.bad').textContent()),
  );
  check('impact: four laws lose', (await page.locator('.ledger-verdict.good').count()) === 4);
  const widths = await page.$$eval('.ledger-bar rect', (bars) => bars.map((b) => b.getBoundingClientRect().width));
  check('impact: bars are drawn', widths.length === 10 && widths.every((w) => w > 1), widths.join(' '));
  const marks = await page.$$eval('.ledger-bar', (bars) =>
    bars.map((b) => {
      const ends = (kind) => [...b.querySelectorAll(`rect.${kind}`)].map((r) => r.getBoundingClientRect());
      const zero = b.querySelector('.zero').getBoundingClientRect().x;
      const signed = ['normal', 'tangential']
        .flatMap(ends)
        .reduce((sum, r) => sum + (r.left + 0.5 * r.width < zero ? -r.width : r.width), 0);
      return Math.abs(zero + signed - b.querySelector('.change').getBoundingClientRect().x);
    }),
  );
  check(
    'impact: the works add up to the change',
    marks.every((gap) => gap < 2.5),
    marks.join(' '),
  );
  check('impact: five paths', (await page.locator('.path-card svg.plot').count()) === 5);
  const first = () => page.getAttribute('.path-card path.normal-velocity', 'd');
  const own = await first();
  await page.check('text=Same scale for all laws');
  check('impact: one scale for all changes the picture', (await first()) !== own);
  check(
    'impact: units',
    /N s/.test(await page.textContent('.path-card svg')) && /m\/s/.test(await page.textContent('table.laws')),
  );
});
await visit('impact in space', read('impact_spatial'), async (page) => {
  check(
    'impact in space: hodograph and velocities of each law',
    (await page.locator('.path-card svg.plot').count()) === 10,
  );
  check('impact in space: marks', (await page.locator('.path-card').first().locator('.mark').count()) === 12);
});
await visit('impact, several', read('impact_several'), async (page) => {
  check('impact, several: both answers', (await page.locator('.several article').count()) === 2);
});
await visit('impact, none', read('impact_none'), async (page) => {
  check('impact, none: says so', /Nothing strikes/.test(await page.textContent('main h2')));
});

await visit('diagnosis', read('diagnosis_spatial'), async (page) => {
  check('diagnosis: the verdict first', /^Jams/.test(await page.textContent('main p')));
  check('diagnosis: two cones', (await page.locator('.cone-scene canvas').count()) === 2);
  const [force, velocity] = [await shades(page, 0), await shades(page, 1)];
  check('diagnosis: pixels are drawn', force.count > 20 && velocity.count > 20, `${force.count} ${velocity.count}`);
  const labels = await page.locator('.scene-label.axis').allTextContents();
  check(
    'diagnosis: axes with units',
    labels.length === 6 && labels.every((text) => /, (N|m\/s² per N)$/.test(text)),
    labels.join('; '),
  );
  const scene = page.locator('.cone-scene').first();
  await scene.focus();
  await page.keyboard.press('ArrowLeft');
  await frames(page);
  const turned = await shades(page, 0);
  check('diagnosis: keys turn the cone', turned.url !== force.url);
  await page.keyboard.press('Home');
  await frames(page);
  check('diagnosis: Home turns it back', (await shades(page, 0)).url === force.url);
  const box = await scene.boundingBox();
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 260, box.y + 170, { steps: 4 });
  await page.mouse.up();
  await frames(page);
  check('diagnosis: dragging turns the cone', (await shades(page, 0)).url !== force.url);
});
await visit('diagnosis in the plane', read('diagnosis_planar'), async (page) => {
  check('diagnosis in the plane: two drawings', (await page.locator('.cone svg.plot').count()) === 2);
  check('diagnosis in the plane: the part below is marked', (await page.locator('.area.cone-below').count()) === 1);
  check('diagnosis in the plane: free acceleration', (await page.locator('.line.cone-free').count()) === 1);
});

const map_document = read('map_kinds');
await visit('map', map_document, async (page) => {
  const { x, y, points, kinds } = map_document.data;
  const canvas = page.locator('.map-canvas');
  const box = await canvas.boundingBox();
  const inside = { left: 64, top: 10, width: box.width - 80, height: box.height - 60 };
  for (const [u, v] of [
    [0.503, 0.512],
    [0.05, 0.95],
    [0.93, 0.05],
    [0.91, 0.4],
  ]) {
    await page.mouse.move(box.x + inside.left + u * inside.width, box.y + inside.top + (1 - v) * inside.height);
    const [i, j] = [Math.round(u * (x.points - 1)), Math.round(v * (y.points - 1))];
    const text = await page.textContent('.map-readout');
    const kind = kinds.find((k) => k.kind === points.kinds[j][i]).name;
    check(`map: the pointer shows the kind at ${u}, ${v}`, text.includes(kind), text);
    const value = x.low + (i * (x.high - x.low)) / (x.points - 1);
    const shown = text.match(/position\.upper = ([−0-9.]+)/)[1].replace('−', '-');
    check('map: and x', Math.abs(Number(shown) - value) < 1e-4, text);
    check(
      'map: and the number',
      Math.abs(Number(text.match(/A = ([−0-9.]+)/)[1].replace('−', '-')) - points.numbers[j][i]) < 1e-3,
      text,
    );
  }
  await page.mouse.move(5, 5);
  check(
    'map: nothing is shown when the pointer is away',
    /Point at the map/.test(await page.textContent('.map-readout')),
  );
  const pixel = (u, v) =>
    page.evaluate(
      ([u, v]) => {
        const c = document.querySelector('.map-canvas');
        const r = c.width / c.clientWidth;
        const at = [64 + u * (c.clientWidth - 80), 10 + (1 - v) * (c.clientHeight - 60)];
        const one = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
          willReadFrequently: true,
        });
        one.drawImage(c, -Math.round(at[0] * r), -Math.round(at[1] * r));
        return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3).join(',');
      },
      [u, v],
    );
  const swatch = (name) =>
    page.evaluate((n) => {
      const row = [...document.querySelectorAll('.map-legend tbody tr')].find((r) => r.textContent.includes(n));
      return getComputedStyle(row.querySelector('.swatch')).backgroundColor.match(/\d+/g).join(',');
    }, name);
  check('map: a region has the colour of its key', (await pixel(0.4, 0.4)) === (await swatch('M2 slides')));
  check('map: and another', (await pixel(0.03, 0.95)) === (await swatch('M1 detaches')));
  await canvas.focus();
  await page.keyboard.press('ArrowRight');
  const start = await page.textContent('.map-readout');
  await page.keyboard.press('ArrowRight');
  const next = await page.textContent('.map-readout');
  check('map: keys begin at the state', /position\.upper = 0\.(69|70)/.test(start), start);
  check('map: and move', next !== start, next);
  await page.keyboard.press('Escape');
  check('map: Escape looks away', /Point at the map/.test(await page.textContent('.map-readout')));
});
const bare = structuredClone(map_document);
delete bare.data.points;
await visit('map without points', bare, async (page) => {
  check(
    'map without points: the picture',
    await page.$eval(
      '.map-plane img',
      (img) => img.complete && img.naturalWidth > 0 && img.src.startsWith('data:image/svg'),
    ),
  );
});

const papers = read('papers');
papers.papers[0].values[0].status = 'mismatch';
papers.papers[0].values[0].note = 'nobody knows why';
papers.summary = { agrees: papers.summary.agrees - 1, misprints: papers.summary.misprints, mismatches: 1 };
await visit('papers', papers, async (page) => {
  const counts = await page.locator('.count strong').allTextContents();
  check(
    'papers: the summary',
    counts.join() === [papers.summary.agrees, papers.summary.misprints, 1].join(),
    counts.join(),
  );
  check(
    'papers: mismatches are flagged',
    (await page.locator('tr.mismatch .status').allTextContents()).join() === '⚠ mismatch',
  );
  check(
    'papers: notes stand under misprints',
    (await page.locator('tr.misprint.explanation').count()) === papers.summary.misprints,
  );
  const images = await page.$$eval('.paper img', (all) =>
    all.map((i) => i.complete && i.naturalWidth > 0 && i.src.startsWith('data:')),
  );
  check('papers: figures are images', images.length > 1 && images.every(Boolean));
  const visible = (kind) => page.locator(`tr.${kind}:not(.explanation):visible`).count();
  const all = await visible('agrees');
  await page.check('text=Only misprints and mismatches');
  check(
    'papers: the filter',
    all === papers.summary.agrees &&
      (await visible('agrees')) === 0 &&
      (await visible('misprint')) === papers.summary.misprints &&
      (await visible('mismatch')) === 1,
  );
  await page.uncheck('text=Only misprints and mismatches');
  const figure = page.locator('.paper figure').first();
  const narrow = (await figure.locator('img').boundingBox()).width;
  await figure.locator('button').click();
  check('papers: a figure grows when it is clicked', (await figure.locator('img').boundingBox()).width > 1.3 * narrow);
  await figure.locator('button').click();
  await page.click('.contents li:nth-child(4) a');
  await frames(page);
  check('papers: contents lead to a paper', Math.abs((await page.locator('.paper').nth(3).boundingBox()).y) < 60);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  check(
    'papers: print is on white, without buttons',
    await page.evaluate(
      () =>
        getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)' &&
        getComputedStyle(document.querySelector('.no-print')).display === 'none',
    ),
  );
  const bytes = await page.pdf({ format: 'A4' });
  check('papers: prints', bytes.length > 20000, String(bytes.length));
});

for (const name of names) {
  await visit(
    `${name}, hostile`,
    poisoned(read(name)),
    async (page) => {
      const made = await page.locator('main script, main [onerror], main img:not(.figure), main iframe').count();
      check(`${name}, hostile: nothing is read as markup`, made === 0);
      check(
        `${name}, hostile: names are shown as text`,
        (await page.textContent('body')).includes(hostile_names[1]) || name === 'impact_none',
      );
      await page.waitForTimeout(100);
    },
    { width: 360 },
  );
}
for (const kind of ['impact', 'diagnosis', 'map', 'papers']) {
  await visit(
    `${kind}, empty`,
    { routh: 1, kind, title: 'x', program_version: '0', warnings: [], data: {} },
    async (page) => {
      check(
        `${kind}, empty: says something`,
        (await page.textContent('main')).length > 10 && (await page.locator('.message').count()) === 0,
      );
    },
  );
}

await finish();
