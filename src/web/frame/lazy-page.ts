/**
 * Pages whose scripts and styles are loaded when they are first opened, or before, while the browser has nothing to do.
 * Later they open at once, also while the daemon is away.
 */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

interface PageProps {
  /** The part of the path after the page's own. */
  readonly rest: string;
}

type PageModule = { readonly default: ComponentType<PageProps> };

const loads: (() => Promise<PageModule>)[] = [];

export function lazyPage(load: () => Promise<PageModule>): LazyExoticComponent<ComponentType<PageProps>> {
  let loading: Promise<PageModule> | undefined;
  // Loaded once: a second attempt after a failed one would come without its styles.
  const once = (): Promise<PageModule> => {
    loading ??= load();
    return loading;
  };
  loads.push(once);
  return lazy(once);
}

/** Loads all pages, one after the other, up to the first that cannot be loaded. */
export async function loadPages(): Promise<void> {
  try {
    for (const load of loads) await load();
  } catch {
    // The page shows the error when it is opened.
  }
}
