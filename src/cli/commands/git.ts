import type { ActionSpec, CommandSpec } from '../program/command.js';

const ACTIONS: readonly ActionSpec[] = [
  {
    name: 'commit',
    summary: 'Commit all changes of a session, with new files. The hooks of the repository run.',
    args: '<session>',
    options: [
      ['-m, --message <text>', 'the message; - reads it from standard input'],
      ['--no-hooks', 'run no hooks'],
    ],
    quiet: 'print the id of the commit only',
    run: async (context, [session = ''], options) =>
      (await import('../sessions/git-acts.js')).commit(context, session, options),
  },
  {
    name: 'merge',
    summary:
      'Merge the branch of a session’s worktree into the branch of the main worktree. Refused if one of them has ' +
      'uncommitted changes. After a conflict, nothing is changed.',
    args: '<session>',
    quiet: 'print the id of the commit only',
    run: async (context, [session = '']) => (await import('../sessions/git-acts.js')).merge(context, session),
  },
  {
    name: 'discard',
    summary:
      'Remove the worktree of an ended session, and its branch. Its content stays under a ref, except ignored files.',
    args: '<session>',
    options: [['-y, --yes', 'do not ask']],
    quiet: 'print the ref only',
    run: async (context, [session = ''], options) =>
      (await import('../sessions/git-acts.js')).discard(context, session, options),
  },
];

export const git: CommandSpec = {
  name: 'git',
  group: 'Sessions',
  summary: 'Commit, merge or discard what a session has changed (`orchd diff` shows it).',
  actions: ACTIONS,
  examples: [
    'orchd git commit fix-login -m "Fix the login"',
    'orchd git merge fix-login',
    'orchd git discard fix-login',
  ],
};
