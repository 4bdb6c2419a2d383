/** The pages of agents and their work. Each is loaded when it is first opened. */
import { lazyPage } from './lazy-page.js';
import type { PageSpec } from './pages.js';

const LIST_KEYS: PageSpec['keys'] = [
  [['j'], 'next in the list'],
  [['k'], 'previous in the list'],
];

export const WORK_PAGES: readonly PageSpec[] = [
  {
    path: 'agents',
    title: 'Agents',
    icon: 'agent',
    key: 'a',
    page: lazyPage(() => import('../agents/agents-page.js')),
    keys: [
      ...LIST_KEYS,
      [['n'], 'new agent'],
      [['t'], 'try the agent'],
      [['Ctrl', 'S'], 'save, in an editor'],
      [['Ctrl', 'Space'], 'complete, in an editor'],
      [['F8'], 'next problem, in an editor'],
      [['Esc'], 'back to the list'],
    ],
  },
  {
    path: 'runs',
    title: 'Runs',
    icon: 'run',
    key: 'u',
    isOnBar: true,
    page: lazyPage(() => import('../runs/runs-page.js')),
    keys: [...LIST_KEYS, [['/'], 'search'], [['Esc'], 'back to the list']],
  },
  {
    path: 'tasks',
    title: 'Tasks',
    icon: 'task',
    key: 't',
    isOnBar: true,
    page: lazyPage(() => import('../tasks/tasks-page.js')),
    keys: [...LIST_KEYS, [['/'], 'search'], [['n'], 'new task'], [['1'], 'choose option 1 of a question, up to 9']],
  },
  {
    path: 'workflows',
    title: 'Workflows',
    icon: 'workflow',
    key: 'w',
    page: lazyPage(() => import('../workflows/workflows-page.js')),
    keys: [
      ...LIST_KEYS,
      [['n'], 'new workflow'],
      [['F8'], 'next problem, in an editor'],
      [['Esc'], 'back to the list'],
    ],
  },
  {
    path: 'envelopes',
    title: 'Envelopes',
    icon: 'envelope',
    key: 'v',
    page: lazyPage(() => import('../envelopes/envelopes-page.js')),
    keys: [...LIST_KEYS, [['Esc'], 'back to the list']],
  },
];
