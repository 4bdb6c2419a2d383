/**
 * Cast writer: a journal as an asciicast of version 2, which players of recordings know.
 *
 * In:   journal records, in order (`add`).
 * Out:  lines: the header, `o` for output, `i` for what orchd typed, `r` for sizes, `x` for the exit code.
 * A record may end in the middle of a character. The whole character is then written with the record that completes it.
 * Bytes that are not UTF-8 become U+FFFD. The journal has no text of a person's keystrokes, so neither has the cast.
 * Control characters are escaped, so that a cast may be printed on a terminal.
 */
import { StringDecoder } from 'node:string_decoder';
import type { JournalRecord } from '../../host/contract.js';
import { safeJson, shellWord } from '../../protocol/index.js';

const RESET = '\x1bc';

interface CastAbout {
  readonly title: string;
  readonly command: readonly string[];
  /** The size to use if the beginning of the journal was removed. */
  readonly size: { readonly cols: number; readonly rows: number };
}

/** Converts the journal records of one session to the lines of a cast. */
export class CastWriter {
  readonly #about: CastAbout;
  readonly #decoder = new StringDecoder('utf8');
  #startedAt: number | null = null;
  #last = 0;

  constructor(about: CastAbout) {
    this.#about = about;
  }

  /** @returns Complete lines; often ''. */
  add(record: JournalRecord): string {
    const head = this.#startedAt === null ? this.#begin(record) : '';
    return head + this.#lineOf(record);
  }

  /** @returns The rest of a character that was cut. */
  end(): string {
    const rest = this.#decoder.end();
    return rest === '' ? '' : this.#line(this.#last, 'o', rest);
  }

  #begin(record: JournalRecord): string {
    const { title, command } = this.#about;
    const { cols, rows } =
      record.kind === 'start' ? record : record.kind === 'snapshot' ? record.screen : this.#about.size;
    this.#startedAt = record.time;
    const header = {
      version: 2,
      width: cols,
      height: rows,
      timestamp: Math.floor(record.time / 1000),
      ...(command.length > 0 && { command: command.map(shellWord).join(' ') }),
      title,
      env: { TERM: 'xterm-256color' },
    };
    return `${safeJson(header)}\n`;
  }

  #lineOf(record: JournalRecord): string {
    this.#last = record.time;
    switch (record.kind) {
      case 'start': // of a program behind the first, in a terminal of its own
        return record.position === 0
          ? ''
          : this.#line(record.time, 'o', RESET) + this.#line(record.time, 'r', `${record.cols}x${record.rows}`);
      case 'snapshot': // what was on the screen before the first byte that is left
        return (
          this.#line(record.time, 'r', `${record.screen.cols}x${record.screen.rows}`) +
          this.#line(record.time, 'o', RESET + record.screen.snapshot)
        );
      case 'out': {
        const text = this.#decoder.write(Buffer.from(record.bytes));
        return text === '' ? '' : this.#line(record.time, 'o', text);
      }
      case 'resize':
        return this.#line(record.time, 'r', `${record.cols}x${record.rows}`);
      case 'input':
        return record.phase === 'begin' && record.text !== null ? this.#line(record.time, 'i', record.text) : '';
      case 'exit':
        return record.exitCode === null ? '' : this.#line(record.time, 'x', String(record.exitCode));
      default:
        return '';
    }
  }

  #line(time: number, kind: string, data: string): string {
    const seconds = (time - (this.#startedAt ?? time)) / 1000;
    return `${safeJson([seconds, kind, data])}\n`;
  }
}
