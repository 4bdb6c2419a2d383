/** The frame of every page: navigation, the state of the connection, the palette and the help. */
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Router, useLocation } from 'wouter';
import { useKeys } from '../browser/use-keys.js';
import { useNotifications, usePresence } from '../inbox/notify.js';
import { useOpenItems } from '../inbox/open-items.js';
import { useLive } from '../live/live.js';
import { useMachines } from '../live/machines.js';
import { Empty } from '../parts/empty.js';
import { Failing } from './failing.js';
import { KeysDialog } from './keys-dialog.js';
import { loadPages } from './lazy-page.js';
import { Navigation } from './navigation.js';
import { PAGES } from './pages.js';
import { Palette } from './palette.js';

/** Time until the other pages are loaded, so that they do not hold up the first one. */
const LOAD_AHEAD_MS = 2_000;

type Dialog = 'palette' | 'keys' | null;

/** Time for the key of a page after `g`. */
const G_MS = 1_500;

export function Frame({ onSignOut }: { readonly onSignOut: () => void }) {
  return (
    <Router base="/ui">
      <Framed onSignOut={onSignOut} />
    </Router>
  );
}

function Framed({ onSignOut }: { readonly onSignOut: () => void }) {
  const { api, device, connection } = useLive();
  const [location, go] = useLocation();
  const [dialog, setDialog] = useState<Dialog>(null);
  useNotifications(go);
  usePresence();
  const [, first = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(location) ?? [];
  const shown = PAGES.find(({ path }) => path === (first || 'inbox'));
  const others = useMachines().items.filter(({ onItsWay }) => onItsWay === '').length;
  const open = useOpenItems().length + others;

  const isLive = connection === 'live';
  useEffect(() => {
    if (!isLive) return;
    const timer = setTimeout(() => void loadPages(), LOAD_AHEAD_MS);
    return () => clearTimeout(timer);
  }, [isLive]);

  useTitle(shown?.title ?? 'Not found', open);
  usePageKeys(go);
  useKeys({ '?': () => setDialog('keys') });
  usePaletteKey(() => setDialog((now) => (now === 'palette' ? null : 'palette')));
  const signOut = useCallback(() => {
    // The browser forgets its token even if the daemon cannot be reached.
    api.call('web.revoke', { device: device.id }).then(onSignOut, onSignOut);
  }, [api, device, onSignOut]);
  const Page = shown?.page;

  return (
    <div className="frame">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <Navigation
        shown={shown}
        open={open}
        onSearch={() => setDialog('palette')}
        onKeys={() => setDialog('keys')}
        onSignOut={signOut}
      />
      <main className="page" id="page" data-connection={connection}>
        {connection === 'away' && (
          <div className="notice warn away" role="status">
            <span>
              The daemon does not answer. This page goes on by itself once it does; <code>orchd start</code> starts it.
            </span>
          </div>
        )}
        {Page ? (
          <Failing key={shown?.path} isLive={isLive}>
            <Suspense fallback={<div className="page-body" aria-busy="true" />}>
              <Page rest={rest} />
            </Suspense>
          </Failing>
        ) : (
          <Empty title="There is no such page" isWholePage>
            The address may be of another version of orchd. <Link href="/">Go to the inbox</Link>
          </Empty>
        )}
      </main>
      <Palette isOpen={dialog === 'palette'} onClose={() => setDialog(null)} onKeys={() => setDialog('keys')} />
      <KeysDialog shown={shown} isOpen={dialog === 'keys'} onClose={() => setDialog(null)} />
    </div>
  );
}

/** Shows the page and the number of open items in the title of the window, and the number on the icon of an app. */
function useTitle(page: string, open: number): void {
  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${page} · orchd`;
    const badge = navigator as { setAppBadge?: (count: number) => Promise<void> };
    badge.setAppBadge?.(open).catch(() => {}); // not allowed outside of an installed app
  }, [open, page]);
}

/** Calls `toggle` on Ctrl-K or Cmd-K, also while the person types. */
function usePaletteKey(toggle: () => void): void {
  const latest = useRef(toggle);
  latest.current = toggle;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Handles `g` followed by the key of a page. */
function usePageKeys(go: (path: string) => void): void {
  const afterG = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (Date.now() - afterG.current > G_MS || event.ctrlKey || event.metaKey || event.altKey) return;
      afterG.current = 0;
      const page = PAGES.find(({ key }) => key === event.key);
      if (!page) return;
      event.preventDefault();
      event.stopPropagation();
      go(`/${page.path}`);
    };
    addEventListener('keydown', onKey, true);
    return () => removeEventListener('keydown', onKey, true);
  }, [go]);
  useKeys({
    g: () => {
      afterG.current = Date.now();
    },
  });
}
