import { type CommandSpec, flag, text } from '../command.js';
import { parseWhole } from '../parse-values.js';

export const capture: CommandSpec = {
  name: 'capture',
  group: 'Sessions',
  summary: 'Print what is on a session’s screen.',
  args: '<session>',
  options: [
    ['--ansi', 'with colours'],
    ['--scrollback <n>', 'and so many lines above it'],
  ],
  examples: ['orchd capture build', 'orchd capture build --scrollback 500 | grep error'],
  async run(context, [session = ''], options) {
    const lines = text(options, 'scrollback');
    const screen = await context.client().call('session.capture', {
      session,
      ...(flag(options, 'ansi') && { ansi: true }),
      ...(lines !== undefined && { scrollback: parseWhole('--scrollback', lines) }),
    });
    await context.print(screen, () => screen.text.replace(/\n{2,}$/, '\n'));
    return undefined;
  },
};
