/** The pages, in the order of the navigation. */
import type { ComponentType } from 'react';
import { InboxPage } from '../inbox/inbox-page.js';
import type { IconName } from '../parts/icon.js';
import type { KeyRow } from './keys-dialog.js';
import { lazyPage } from './lazy-page.js';
import { WORK_PAGES } from './work-pages.js';

export interface PageSpec {
  /** The first part of the page's path below /ui. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** True for the few pages that the bar of a phone shows. The other ones are in its list "More". */
  readonly isOnBar?: true;
  /** The key that opens the page when pressed after `g`. */
  readonly key: string;
  /** The keys of the page, for the list of keys. */
  readonly keys: readonly KeyRow[];
  /** The page. `lazyPage` loads it when it is first opened. */
  readonly page: ComponentType<{ readonly rest: string }>;
}

const INBOX: PageSpec = {
  path: 'inbox',
  title: 'Inbox',
  icon: 'inbox',
  key: 'i',
  page: InboxPage,
  isOnBar: true,
  keys: [
    [['j'], 'next question'],
    [['k'], 'previous question'],
    [['1'], 'choose option 1, up to 9'],
    [['a'], 'write an answer'],
    [['x'], 'decline'],
    [['u'], 'take an answer back, until it is typed'],
    [['Ctrl', 'Enter'], 'send the answer'],
    [['Esc'], 'back to the list'],
  ],
};

const SESSIONS: PageSpec = {
  path: 'sessions',
  title: 'Sessions',
  icon: 'terminal',
  key: 's',
  isOnBar: true,
  page: lazyPage(() => import('../sessions/sessions-page.js')),
  keys: [
    [['j'], 'next session'],
    [['k'], 'previous session'],
    [['Enter'], 'open it; on its page: take control'],
    [['/'], 'filter'],
    [['v'], 'other groups'],
    [['c'], 'table, cards, terminals'],
    [['Space'], 'mark it: what follows acts on all marked ones'],
    [['n'], 'new session'],
    [['r'], 'rename'],
    [['T'], 'tags'],
    [['R'], 'start again'],
    [['K'], 'end its program'],
    [['X'], 'remove an ended one'],
    [['u'], 'bring back the one that was removed last'],
    [['d'], 'messages, details'],
    [['D'], 'changes'],
    [['Ctrl', 'Shift', 'L'], 'give control of a terminal back'],
  ],
};

const EVENTS: PageSpec = {
  path: 'events',
  title: 'Events',
  icon: 'events',
  key: 'e',
  page: lazyPage(() => import('../events/events-page.js')),
  keys: [
    [['j'], 'next event'],
    [['k'], 'previous event'],
    [['Enter'], 'explain it'],
    [['/'], 'search'],
    [['Space'], 'pause, go on'],
    [['End'], 'to the newest'],
    [['e'], 'export what is shown'],
  ],
};

const RECORDINGS: PageSpec = {
  path: 'recordings',
  title: 'Recordings',
  icon: 'play',
  key: 'r',
  page: lazyPage(() => import('../recordings/recordings-page.js')),
  keys: [
    [['j'], 'next recording, in the list'],
    [['k'], 'previous recording'],
    [['Enter'], 'open it'],
    [['/'], 'filter'],
    [['Space'], 'play, pause'],
    [['←'], '5 seconds back'],
    [['→'], '5 seconds on'],
    [['n'], 'next message or answer'],
    [['p'], 'previous one'],
    [['<'], 'slower'],
    [['>'], 'faster'],
    [['Home'], 'to the beginning'],
    [['End'], 'to the end'],
  ],
};

const SYSTEM: PageSpec = {
  path: 'system',
  title: 'System',
  icon: 'system',
  key: 'y',
  keys: [],
  page: lazyPage(() => import('../system/system-page.js')),
};

export const PAGES: readonly PageSpec[] = [INBOX, SESSIONS, ...WORK_PAGES, EVENTS, RECORDINGS, SYSTEM];
