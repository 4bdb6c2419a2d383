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

function show(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  system.addEventListener('change', show);
  show();
}

export function toggleTheme(): void {
  localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark');
  show();
}

export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, current);
