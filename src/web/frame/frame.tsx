/** The frame of every page: navigation, the state of the connection, the palette and the help. */
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, Router, useLocation } from 'wouter';
import { useNotifications, usePresence } from '../inbox/notify.js';
import { useOpenItems } from '../inbox/open-items.js';
import { useLive } from '../live/live.js';
import { useMachines } from '../live/machines.js';
import { Empty } from '../parts/empty.js';
import { Icon, type IconName } from '../parts/icon.js';
import { toggleTheme, useTheme } from '../parts/theme.js';
import { useKeys } from '../parts/use-keys.js';
import { Failing } from './failing.js';
import { KeysDialog } from './keys-dialog.js';
import { PAGES } from './pages.js';
import { Palette } from './palette.js';

type Dialog = 'palette' | 'keys' | null;

export function Frame({ onSignOut }: { readonly onSignOut: () => void }) {
  return (
    <Router base="/ui">
      <Framed onSignOut={onSignOut} />
    </Router>
  );
}

/** The highest number beside the inbox, so that it fits beside the icon. */
const MOST_COUNTED = 99;

function Framed({ onSignOut }: { readonly onSignOut: () => void }) {
  const { api, device, connection } = useLive();
  const [location, go] = useLocation();
  const [dialog, setDialog] = useState<Dialog>(null);
  const theme = useTheme();
  const afterG = useRef(0);
  const pages = useRef<HTMLUListElement>(null);
  useNotifications(go);
  usePresence();
  const [, first = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(location) ?? [];
  const shown = PAGES.find(({ path }) => path === (first || 'inbox'));
  const others = useMachines().items.filter(({ onItsWay }) => onItsWay === '').length;
  const open = useOpenItems().length + others;

  useEffect(() => {
    document.title = `${open > 0 ? `(${open}) ` : ''}${shown?.title ?? 'Not found'} · orchd`;
    const badge = navigator as { setAppBadge?: (count: number) => Promise<void> };
    badge.setAppBadge?.(open).catch(() => {}); // not allowed outside of an installed app
  }, [open, shown]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setDialog((now) => (now === 'palette' ? null : 'palette'));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  // On a phone, the pages are a bar that scrolls sideways.
  useEffect(() => {
    const link = pages.current?.querySelector(`[href$="/${shown?.path}"]`);
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  // Handles `g` followed by the key of a page.
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (Date.now() - afterG.current > 1500 || event.ctrlKey || event.metaKey || event.altKey) return;
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
    '?': () => setDialog('keys'),
    g: () => {
      afterG.current = Date.now();
    },
  });
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
      <nav className="nav" aria-label="Pages">
        <Link className="brand" href="/" aria-label="orchd, to the inbox">
          <img src="/ui/icon.svg" alt="" width="20" height="20" />
          <span>orchd</span>
        </Link>
        <ul className="nav-pages" ref={pages}>
          {PAGES.map(({ path, title, icon }) => (
            <li key={path}>
              <Link href={`/${path}`} className="nav-page" aria-current={path === shown?.path ? 'page' : undefined}>
                <Icon name={icon} />
                <span className="nav-title">{title}</span>
                {path === 'inbox' && open > 0 && (
                  <span className="count" role="status" aria-label={`${open} open`}>
                    {open > MOST_COUNTED ? `${MOST_COUNTED}+` : open}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
        <div className="nav-foot">
          <ConnectionNote />
          <div className="row">
            <IconButton icon="search" label="Search and commands" keys="Ctrl K" onClick={() => setDialog('palette')} />
            <IconButton icon="keys" label="Keys" keys="?" onClick={() => setDialog('keys')} />
            <IconButton
              icon={theme === 'dark' ? 'sun' : 'moon'}
              label={theme === 'dark' ? 'Light colours' : 'Dark colours'}
              onClick={toggleTheme}
            />
            <IconButton icon="out" label="Sign out" onClick={signOut} />
          </div>
        </div>
      </nav>
      <main className="page" id="page" data-connection={connection}>
        {connection === 'away' && (
          <div className="notice warn away" role="status">
            The daemon does not answer. This page goes on by itself once it does; `orchd start` starts it.
          </div>
        )}
        {Page ? (
          <Failing key={shown?.path}>
            <Suspense fallback={<div className="page-body" aria-busy="true" />}>
              <Page rest={rest} />
            </Suspense>
          </Failing>
        ) : (
          <Empty title="There is no such page">
            The address may be of another version of orchd. <Link href="/">Go to the inbox</Link>
          </Empty>
        )}
      </main>
      <Palette isOpen={dialog === 'palette'} onClose={() => setDialog(null)} onKeys={() => setDialog('keys')} />
      <KeysDialog isOpen={dialog === 'keys'} onClose={() => setDialog(null)} />
    </div>
  );
}

const CONNECTION_WORDS = { connecting: 'Connecting…', live: 'Live', away: 'Daemon away' } as const;
const ROLE_WORDS = { read: 'may read', answer: 'may answer', all: '' } as const;

/** A button that has only an icon. `keys` are its shortcuts. */
function IconButton(button: {
  readonly icon: IconName;
  readonly label: string;
  readonly keys?: string;
  readonly onClick: () => void;
}) {
  const { icon, label, keys, onClick } = button;
  return (
    <button
      type="button"
      className="button quiet icon-button"
      title={keys === undefined ? label : `${label} (${keys})`}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

function ConnectionNote() {
  const { connection, device } = useLive();
  const role = ROLE_WORDS[device.role];
  return (
    <div className="connection">
      <span className={`dot ${connection}`} aria-hidden="true" />
      <span>{CONNECTION_WORDS[connection]}</span>
      {role !== '' && <span className="muted">· {role}</span>}
    </div>
  );
}
