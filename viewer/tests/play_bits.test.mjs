// The engine of the page against the program: the same scenes, the same bits. Runs where the build made the engine:
//   ROUTH=build/release/bin/routh ROUTH_ENGINE=build/release/apps/play/play.wasm ROUTH_SOURCE=. npx vitest run tests/play_bits.test.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Engine } from '../src/play/engine';

const program = process.env.ROUTH ?? '';
const wasm = process.env.ROUTH_ENGINE ?? '';
const source = process.env.ROUTH_SOURCE ?? '.';

function told(...args) {
  return execFileSync(program, args, { cwd: source, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}
const document_of = (scene) => JSON.parse(told('play', scene, '--json'));

async function opened(document) {
  const engine = await Engine.make(readFileSync(wasm));
  engine.open(JSON.stringify(document.start));
  return engine;
}

/** All events, also where there are more than the engine keeps at a time. */
function run(engine, from, until, cuts) {
  const events = [];
  for (let k = 1; k <= cuts; ++k) {
    engine.advance(k === cuts ? until : from + ((until - from) * k) / cuts, 1e9);
    events.push(...engine.events().events);
  }
  return events;
}

/** A number as its bits, so that −0 and 0 differ and a last digit is seen. */
function bits(values) {
  const view = new DataView(new ArrayBuffer(8));
  return Array.from(values, (value) => {
    view.setFloat64(0, value);
    return `${value} ${view.getBigUint64(0).toString(16)}`;
  });
}

/** What a page of `routh impact` asks the engine. */
function question_of(file) {
  const path = join(mkdtempSync(join(tmpdir(), 'routh-')), 'page.html');
  told('impact', file, '--html', path, '--json');
  const [, text] = readFileSync(path, 'utf8').match(/<script type="application\/json" id="routh-document">([^]*?)<\/script>/);
  return JSON.parse(text).questions[0];
}

describe.skipIf(!program || !wasm)('one impact', () => {
  const files = ['kane', 'rod', 'jam', 'spatial', 'steel', 'painleve'].map((name) => `examples/${name}.json`);
  test.each(files)('%s has the same bits, and with other numbers too', async (file) => {
    const engine = await Engine.make(readFileSync(wasm));
    const question = question_of(file);
    expect(engine.impact(question).data).toEqual(JSON.parse(told('impact', file, '--json')));
    for (const friction of [0, 0.3, 0.9]) {
      question.surface.friction = { static: friction, kinetic: friction };
      expect(engine.impact(question).data).toEqual(JSON.parse(told('impact', file, '--json', '--set', `friction=${friction}`)));
    }
    question.surface.friction.static = -1;
    expect(() => engine.impact(question)).toThrow(/friction/);
  });
  test('a scene as its matrices agrees with the scene', async () => {
    const engine = await Engine.make(readFileSync(wasm));
    for (const scene of ['kane', 'two_bodies', 'walker']) {
      const file = `examples/${scene}.yaml`;
      const ours = engine.impact(question_of(file)).data;
      const laws = JSON.parse(told('impact', file, '--json')).strikes[0].results;
      const answers = ours.results ?? [ours];
      laws.forEach((law, k) => {
        const size = Math.hypot(...law.impulse);
        law.impulse.forEach((value, axis) => expect(Math.abs(answers[k].impulse[axis] - value)).toBeLessThan(1e-9 * size));
      });
    }
  });
});

const positive = (values) => values.map((v) => v + 0); // JSON text has one zero

describe.skipIf(!program || !wasm)('the engine of the page', () => {
  const scenes = [
    ['examples/kane.yaml', 1],
    ['examples/walker.yaml', 1],
    ['examples/painleve_rod.yaml', 1],
    ['examples/superball.yaml', 1.5],
    ['examples/rattleback.yaml', 1],
    ['examples/slider_crank.yaml', 0.5],
    ['examples/newton_cradle.yaml', 1],
    ['examples/woodpecker.yaml', 0.5],
    ['examples/quadruped_stand.yaml', 0.1],
  ];
  test.each(scenes)('%s ends at the same bits', async (scene, length) => {
    const document = document_of(scene);
    const from = document.start.state.time;
    const until = from + length;
    const native = JSON.parse(told('simulate', scene, '--until', String(until), '--json'));
    const engine = await opened(document);
    const events = run(engine, from, until, 64);
    const { q, v, status } = engine.frame();
    expect(document.statuses[status].name).toBe(native.status);
    expect(bits(positive([...q]))).toEqual(bits(positive(native.final.q)));
    expect(bits(positive([...v]))).toEqual(bits(positive(native.final.v)));
    expect(events.map(({ kind }) => kind)).toEqual(native.events.map(({ kind }) => kind));
    expect(bits(events.map(({ time }) => time))).toEqual(bits(native.events.map(({ time }) => time)));
  }, 120_000);
});
