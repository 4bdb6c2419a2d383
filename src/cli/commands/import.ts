import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { OrchdError } from '../../protocol/index.js';
import { parseKey } from '../input/parse-values.js';
import { readAll } from '../input/read-input.js';
import { localTime } from '../printing/local-time.js';
import { type CommandSpec, text } from '../program/command.js';

export const importCommand: CommandSpec = {
  name: 'import',
  group: 'Sessions',
  summary: 'Import a recording as a session that has ended, at the time of the recording.',
  args: '<file>',
  options: [
    ['--name <name>', 'the name of the session (default: that of the file)'],
    ['--adapter <name>', 'the adapter for the program (default: by the recording’s command and title)'],
    ['--key <word>', 'messages must carry it as "key"'],
  ],
  quiet: 'print ids only',
  examples: [
    'orchd import build.cast',
    'orchd import old.cast.gz --name old --adapter claude',
    'ssh box cat build.cast | orchd import - --name box',
  ],
  async run(context, [file = '-'], options) {
    const [name, adapter, key] = [text(options, 'name'), text(options, 'adapter'), parseKey(text(options, 'key'))];
    const more = {
      ...(name !== undefined && { name }),
      ...(adapter !== undefined && { adapter }),
      ...(key !== undefined && { key }),
    };
    // The daemon reads the file twice. Standard input is therefore saved to a file first.
    const isFile = file !== '-' && ((await stat(file).catch(() => null))?.isFile() ?? true);
    const folder = isFile ? null : await mkdtemp(join(tmpdir(), 'orchd-import-'));
    try {
      const path = folder === null ? resolve(context.cwd, file) : join(folder, 'recording.cast');
      if (folder !== null) await writeFile(path, await readAll(file), { mode: 0o600 });
      const importing = context.client().call('session.import', { file: path, ...more });
      const session = await (folder === null ? importing : importing.catch(nameAs(file)));
      const items = await context.client().call('inbox.list', { all: true, session: session.id });
      await context.print(session, () =>
        context.isQuiet ? `${session.id}\n` : `imported ${session.name} (${session.id})\n`,
      );
      context.note(
        `  ${session.state}, from ${localTime(session.created_at)} to ${localTime(session.ended_at ?? '')}; ` +
          `${items.length === 1 ? '1 item' : `${items.length} items`}`,
      );
    } finally {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  },
};

/** Replaces the name of the temporary copy in an error by the name that the person gave. */
const nameAs =
  (file: string) =>
  (error: unknown): never => {
    const { line, problem } = (error instanceof OrchdError && error.details) || {};
    if (typeof line !== 'number' || typeof problem !== 'string') throw error;
    const named = file === '-' ? 'standard input' : file;
    throw new OrchdError('ORCHD_RECORDING', `${named}: line ${line}: ${problem}`, { line, problem });
  };
