// Light and dark: the system's choice until the reader takes another. Colours live in theme.css alone.

import { el } from './dom';

export type Choice = 'auto' | 'light' | 'dark';

const listeners: (() => void)[] = [];

/** Calls back whenever colours have changed; for canvases, which do not follow CSS. */
export function on_theme_change(listener: () => void): void {
  listeners.push(listener);
}

// Asking the browser for a style is slow; the answers hold until the theme changes.
const known = new Map<string, string>();

/** The value of a CSS variable now, such as colour('--text'). */
export function colour(name: string): string {
  let value = known.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888888';
    known.set(name, value);
  }
  return value;
}

function announce(): void {
  known.clear();
  for (const listener of listeners) listener();
}

function remembered(): Choice {
  try {
    const text = localStorage.getItem('routh-theme');
    return text === 'light' || text === 'dark' ? text : 'auto';
  } catch {
    return 'auto';
  }
}

function apply(choice: Choice): void {
  if (choice === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
  try {
    localStorage.setItem('routh-theme', choice);
  } catch {
    // A page without storage forgets the choice; nothing else is lost.
  }
  announce();
}

/** The button that goes round auto, light, dark. */
export function theme_button(): HTMLButtonElement {
  const order: Choice[] = ['auto', 'light', 'dark'];
  let choice = remembered();
  const button = el('button', { type: 'button', class: 'quiet' });
  const label = () => {
    button.textContent = { auto: '◐ Auto', light: '○ Light', dark: '● Dark' }[choice];
    button.setAttribute('aria-label', `Colours: ${choice}. Change.`);
  };
  button.addEventListener('click', () => {
    choice = order[(order.indexOf(choice) + 1) % order.length] as Choice;
    label();
    apply(choice);
  });
  label();
  apply(choice);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', announce);
  return button;
}
