import { changeWords } from '../../protocol/index.js';
import { diffRows } from '../../tui/diff-rows.js';
import { type CommandSpec, flag } from '../program/command.js';

export const diff: CommandSpec = {
  name: 'diff',
  group: 'Sessions',
  summary: 'Show what a session has changed in its git repository, with new files.',
  args: '<session>',
  options: [['--stat', 'only the files, without the patch']],
  quiet: 'print paths only',
  examples: ['orchd diff fix-login', 'orchd diff fix-login --stat', 'orchd diff fix-login --json'],
  async run(context, [session = ''], options) {
    const patch = !flag(options, 'stat') && !context.isQuiet;
    const changes = await context.client().call('session.changes', { session, patch });
    await context.print(changes, () =>
      context.isQuiet
        ? changes.files.map(({ path }) => `${path}\n`).join('')
        : changes.file_count === 0
          ? `${changeWords(changes)}\n`
          : `${diffRows(context.paint, changes).join('\n')}\n`,
    );
    return undefined;
  },
};
