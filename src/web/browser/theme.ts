/** Dark or light: as the system says, until the person chooses. */
import { useSyncExternalStore } from 'react';

export type Theme = 'dark' | 'light';

const KEY = 'orchd.theme';
const system = matchMedia('(prefers-color-scheme: light)');
const listeners = new Set<() => void>();

function current(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return system.matches ? 'light' : 'dark';
}

/** Applies the theme to the page and to the bars of the browser on a phone, and tells the listeners. */
function show(): void {
  const root = document.documentElement;
  root.dataset['theme'] = current();
  const ground = getComputedStyle(root).getPropertyValue('--ground').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', ground);
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  system.addEventListener('change', show);
  show();
}

/** Chooses the other theme. If the system has it, the page follows the system again. */
export function toggleTheme(): void {
  const next: Theme = current() === 'dark' ? 'light' : 'dark';
  if ((next === 'light') === system.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  show();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, current);
