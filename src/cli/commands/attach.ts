import { OrchdError } from '../../protocol/index.js';
import { type CommandSpec, flag } from '../command.js';
import { readConfig } from '../context.js';

export const attach: CommandSpec = {
  name: 'attach',
  aliases: ['a'],
  group: 'Sessions',
  summary: 'Sit at a session’s terminal; the prefix (Ctrl-] by default) and d leave it running.',
  args: '<session>',
  options: [['--read-only', 'look, and type nothing']],
  examples: ['orchd attach build', 'orchd attach build --read-only'],
  async run(context, [selector = ''], options) {
    const client = context.client();
    const session = await client.call('session.show', { session: selector });
    if (session.ended_at !== null) {
      throw new OrchdError(
        'ORCHD_SESSION_ENDED',
        `session '${session.name}' has ended; \`orchd capture ${session.id}\` shows its last screen`,
      );
    }
    if (session.id === context.env['ORCHD_SESSION_ID'])
      throw new OrchdError('ORCHD_USAGE', 'a session cannot be attached to itself');
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new OrchdError('ORCHD_USAGE', 'there is no terminal to attach to; `orchd stream` works with pipes');
    }
    const { tui, notify } = await readConfig(context);
    const { attachTerminal } = await import('../../tui/attach-terminal.js');
    const end = await attachTerminal({
      client,
      session: session.id,
      prefix: tui.prefix,
      notify: notify.terminal,
      isReadOnly: flag(options, 'readOnly'),
    });
    if (end.kind === 'detached') context.note(`[detached from ${session.name}]`);
    else
      context.note(
        `[${session.name} ended: ${end.state}${end.exitCode === null ? '' : `, exit code ${end.exitCode}`}]`,
      );
    return undefined;
  },
};
