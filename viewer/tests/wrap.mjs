// Refreshes the documents the tests of the pages read, from the program itself:
//   ROUTH=../build/release/bin/routh node tests/wrap.mjs
// writes tests/pages_data/*.json. Numbers of maps are cut to six digits and long figures left out, to keep files small.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const program = resolve(process.env.ROUTH ?? join(root, 'build/release/bin/routh'));
const folder = mkdtempSync(join(tmpdir(), 'routh-'));
const page = join(folder, 'page.html');
const out = join(here, 'pages_data');
writeFileSync(page, '<script type="application/json" id="routh-document">\n@ROUTH_DOCUMENT@\n</script>\n');
mkdirSync(out, { recursive: true });

/** The document in the page that a command writes. */
function document_of(...args) {
  const file = join(folder, 'out.html');
  execFileSync(program, [...args, '--html', file, '--page', page], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text.slice(text.indexOf('>') + 1, text.lastIndexOf('</script>')));
}

const short = (values) => values.map((v) => (v === null ? null : Number(v.toPrecision(6))));
function shorten_map(document) {
  document.data.points.numbers = document.data.points.numbers.map(short);
  for (const curve of document.data.curves) Object.assign(curve, { x: short(curve.x), y: short(curve.y) });
  return document;
}
function shorten_papers(document) {
  for (const paper of document.papers) paper.figures = paper.figures.filter((f) => f.svg.length < 20000).slice(0, 1);
  return document;
}
function shorten_diagnosis(document) {
  for (const contact of document.data.contacts) delete contact.configuration_cone;
  return document;
}

const arm = [
  'papers/liu-2007/arm.yaml',
  '--x',
  'position.upper=-0.84:0.84',
  '--y',
  'velocity.upper=-4:4',
  '--adjust',
  'lower',
];
const pendulum = [
  'examples/kane.json',
  '--x',
  'friction=0:1',
  '--y',
  'restitution=0:1',
  '--show',
  'energy-ratio',
  '--law',
  'classical',
];
const documents = {
  impact_planar: () => document_of('impact', 'examples/kane.json'),
  impact_spatial: () => document_of('impact', 'examples/spatial.json'),
  impact_scene: () => document_of('impact', 'examples/walker.yaml'),
  impact_several: () => document_of('impact', 'examples/table.json'),
  impact_none: () => document_of('impact', 'examples/liu_arm.yaml'),
  diagnosis_planar: () => shorten_diagnosis(document_of('diagnose', 'examples/liu_arm.yaml')),
  diagnosis_spatial: () => shorten_diagnosis(document_of('diagnose', 'papers/peiret-2017/body.yaml')),
  map_kinds: () => shorten_map(document_of('map', ...arm, '--points', '80x60')),
  map_numbers: () => shorten_map(document_of('map', ...pendulum, '--points', '60x40')),
  papers: () => shorten_papers(document_of('papers')),
};
for (const [name, make] of Object.entries(documents))
  writeFileSync(join(out, `${name}.json`), JSON.stringify(make()) + '\n');
rmSync(folder, { recursive: true });
