// Mathematical symbols as elements: "v_n" becomes v with a lower n.

import { el, type Child } from '../dom';

/** Letters with `_x` lowered and `^x` raised; `_{t1}` for several. */
export function symbol(text: string): HTMLElement {
  const parts: Child[] = [];
  for (const piece of text.split(/([_^](?:\{[^}]*\}|\S))/)) {
    const body = piece.slice(1).replace(/[{}]/g, '');
    if (piece.startsWith('_')) parts.push(el('sub', {}, body));
    else if (piece.startsWith('^')) parts.push(el('sup', {}, body));
    else if (piece !== '') parts.push(piece);
  }
  return el('span', { class: 'symbol' }, ...parts);
}
