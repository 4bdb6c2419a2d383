import type { Client } from '../../client/index.js';
import { displayText, OrchdError } from '../../protocol/index.js';
import { outputOn, targetOf } from '../hub/remote-target.js';
import { parseWhole } from '../input/parse-values.js';
import { type CommandSpec, flag, text } from '../program/command.js';

export const capture: CommandSpec = {
  name: 'capture',
  group: 'Sessions',
  summary: 'Print the screen of a session.',
  args: '<session>',
  options: [
    ['--ansi', 'with colours'],
    ['--scrollback <n>', 'also this many lines above it'],
    ['--stderr', 'print the standard error of a batch session instead'],
    ['--machine <name>', 'a session of this machine of the hub; or write NAME/SESSION'],
  ],
  examples: [
    'orchd capture build',
    'orchd capture build --scrollback 500 | grep error',
    'orchd capture run-7 --stderr',
  ],
  async run(context, [session = ''], options) {
    const { machine, selector } = targetOf(session, options);
    if (flag(options, 'stderr')) {
      if (machine !== undefined) throw new OrchdError('ORCHD_USAGE', '--stderr works on this machine only');
      const said = await errorText(context.client(), session);
      await context.print(said, () => displayText(said.text));
      return undefined;
    }
    const lines = text(options, 'scrollback');
    const request = {
      session: selector,
      ...(flag(options, 'ansi') && { ansi: true }),
      ...(lines !== undefined && { scrollback: parseWhole('--scrollback', lines) }),
    };
    const screen =
      machine === undefined
        ? await context.client().call('session.capture', request)
        : await outputOn(context, machine, 'session.capture', request);
    await context.print(screen, () => screen.text.replace(/(?<!\n)\n{2,}$/, '\n'));
    for (const { from, to, detail } of screen.missing ?? [])
      context.note(`bytes ${from} to ${to} are missing: ${detail}`);
    return undefined;
  },
};

/** Reads standard error from the journal. Text that the journal did not keep is replaced by a note. */
async function errorText(client: Client, session: string): Promise<{ text: string; dropped: number }> {
  const { journalPages } = await import('../recording/journal-pages.js');
  const said = { text: '', dropped: 0 };
  for await (const { records } of journalPages(client, session)) {
    for (const record of records) {
      if (record.kind !== 'note' || record['name'] !== 'stderr') continue;
      // The host wrote the record, so it has this shape.
      const { text: piece, dropped = 0 } = record['data'] as { text: string; dropped?: number };
      if (dropped > 0) said.text += `\n[${dropped} bytes are not kept]\n`;
      said.text += piece;
      said.dropped += dropped;
    }
  }
  return said;
}
