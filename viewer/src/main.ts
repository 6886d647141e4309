import './theme.css';
import { parse_document, type Common } from './document';
import type { DiagnosisDocument, ImpactDocument, MapDocument, PapersDocument, PlayDocument, RunDocument } from './document';
import { el, warning_list } from './dom';
import { theme_button } from './theme';
import { show as show_diagnosis } from './pages/diagnosis';
import { show as show_impact } from './pages/impact';
import { show as show_map } from './pages/map';
import { show as show_papers } from './pages/papers';
import { show as show_play } from './play/play';
import { show as show_run } from './run/run';

function dispatch(page: Common, root: HTMLElement): void {
  switch (page.kind) {
    case 'run':
      return show_run(page as RunDocument, root);
    case 'play':
      return show_play(page as PlayDocument, root);
    case 'impact':
      return show_impact(page as ImpactDocument, root);
    case 'diagnosis':
      return show_diagnosis(page as DiagnosisDocument, root);
    case 'map':
      return show_map(page as MapDocument, root);
    case 'papers':
      return show_papers(page as PapersDocument, root);
    default:
      throw new Error(`This page does not know documents of kind "${page.kind}".`);
  }
}

function message(title: string, text: string): HTMLElement {
  return el('div', { class: 'message', role: 'alert' }, el('h1', {}, title), el('p', {}, text));
}

function start(): void {
  const app = document.getElementById('app') as HTMLElement;
  app.replaceChildren();
  const theme = theme_button();
  let page: Common;
  try {
    page = parse_document(document.getElementById('routh-document')?.textContent ?? '');
  } catch (error) {
    app.append(message('Nothing to show', (error as Error).message));
    return;
  }
  document.title = page.title;
  document.documentElement.dataset['kind'] = page.kind;
  app.append(el('header', { class: 'page-head' }, el('h1', {}, page.title), theme));
  const warnings = warning_list(page.warnings);
  if (warnings) app.append(warnings);
  const root = el('main');
  app.append(root);
  try {
    dispatch(page, root);
  } catch (error) {
    root.append(message('The document cannot be shown in full', (error as Error).message));
  }
  app.append(el('footer', { class: 'page-foot' }, `Routh ${page.program_version}`));
}

start();
