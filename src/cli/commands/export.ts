import { OrchdError } from '../../protocol/index.js';
import { type CommandSpec, flag, text } from '../program/command.js';
import { FORMS, type Form } from '../recording/export-forms.js';
import { openSink } from '../recording/export-sink.js';

/** Formats for programs. Printed on a terminal, they would push everything else off the screen. */
const FOR_PROGRAMS: readonly string[] = ['cast', 'journal'] satisfies Form[];

export const exportCommand: CommandSpec = {
  name: 'export',
  group: 'Sessions',
  summary: 'Export a session as a recording, as text, its events or its journal; or export the state of everything.',
  args: '[session]',
  options: [
    ['--cast', 'a recording (asciicast v2), for `orchd replay` and other players'],
    ['--text', 'scrollback and screen as text'],
    ['--events', 'its events, one JSON object per line'],
    ['--journal', 'its journal, one record per line; output in base64'],
    [
      '--all',
      'everything, one JSON object a line: sessions, items, answers, events, blueprints, runs, tasks and workflow runs',
    ],
    ['-o, --output <file>', 'write this file, complete or not at all (default: standard output)'],
  ],
  examples: [
    'orchd export build --cast -o build.cast',
    'orchd export build --text | less',
    'orchd export --all -o orchd.jsonl',
  ],
  async run(context, [selector], options) {
    const forms = FORMS.filter((form) => flag(options, form));
    const isAll = flag(options, 'all');
    if (forms.length + Number(isAll) !== 1) {
      throw new OrchdError('ORCHD_USAGE', 'say one of --cast, --text, --events, --journal and --all');
    }
    if (isAll !== (selector === undefined)) {
      throw new OrchdError('ORCHD_USAGE', isAll ? '--all takes no session' : 'say which session; see `orchd ls`');
    }
    const [form = 'all'] = forms;
    const output = text(options, 'output');
    if (context.isJson && form === 'text' && (output === undefined || output === '-')) {
      throw new OrchdError('ORCHD_USAGE', '--json says what was written to -o FILE; text itself is no JSON');
    }
    if (output === undefined && process.stdout.isTTY && FOR_PROGRAMS.includes(form)) {
      throw new OrchdError('ORCHD_USAGE', `this is for programs: say -o FILE, or -o - to print it all the same`);
    }
    const client = context.client();
    const { everything, SOURCES } = await import('../recording/export-forms.js');
    const session = selector === undefined ? null : await client.call('session.show', { session: selector });
    const sink = await openSink(context, output);
    try {
      const parts = session === null || form === 'all' ? everything(client) : SOURCES[form](client, session);
      for await (const part of parts) await sink.write(part);
      context.signal.throwIfAborted();
    } catch (error) {
      await sink.discard();
      throw error;
    }
    const bytes = await sink.finish();
    if (output === undefined || output === '-') return undefined;
    if (context.isJson) await context.print({ file: output, form, session: session?.id ?? null, bytes }, () => '');
    else context.note(`wrote ${output} (${bytes.toLocaleString('en')} bytes)`);
    return undefined;
  },
};
