import { EXIT } from '../../protocol/errors.js';
import { OrchdError } from '../../protocol/index.js';
import type { CastParsing, ParsedEvent } from '../../session/index.js';
import { parseSize } from '../input/parse-values.js';
import { readAll } from '../input/read-input.js';
import { type CommandSpec, flag, text } from '../program/command.js';

const DEFAULT_SIZE = { cols: 80, rows: 24 };
const ESC = 0x1b;

export const parse: CommandSpec = {
  name: 'parse',
  group: 'Messages',
  summary:
    'Print the messages in a text, in raw terminal output, or in a recording; one JSON object per line. ' +
    'Needs no daemon.',
  args: '[file]',
  options: [
    ['--cast', 'the file is a recording (an asciicast)'],
    ['--size <colsxrows>', 'size of the terminal for output with escape sequences (default: 80x24)'],
    ['--adapter <name>', 'the adapter for the program (default: shell, or by its title)'],
    ['--strict', 'exit with 6 if a message is rejected'],
  ],
  examples: ['orchd parse transcript.md', './agent.sh | orchd parse -', 'orchd parse --cast session.cast --strict'],
  async run(context, [file = '-'], options) {
    const adapter = text(options, 'adapter');
    const size = text(options, 'size');
    const bytes = await readAll(file);
    const { hearCast, hearTerminal, requireAdapter } = await import('../../session/index.js');
    if (adapter !== undefined) requireAdapter(adapter);
    const known = adapter === undefined ? {} : { adapter };
    const found = flag(options, 'cast')
      ? fromCast(hearCast(bytes.toString('utf8'), known))
      : hearTerminal(bytes, sizeOf(bytes, size), known);
    for (const finding of found) await context.write(`${JSON.stringify(finding)}\n`);
    const isRejected = found.some((finding) => finding.event_type === 'message_rejected');
    return flag(options, 'strict') && isRejected ? EXIT.schema : undefined;
  },
};

/** Text without escape sequences needs no screen, so its size is 0. */
function sizeOf(bytes: Uint8Array, size: string | undefined) {
  if (size !== undefined) return parseSize(size);
  return bytes.includes(ESC) ? DEFAULT_SIZE : { cols: 0, rows: 0 };
}

function fromCast(parsing: CastParsing): readonly ParsedEvent[] {
  if (parsing.ok) return parsing.events;
  throw new OrchdError('ORCHD_USAGE', `this is not an asciicast: line ${parsing.line}: ${parsing.message}`);
}
