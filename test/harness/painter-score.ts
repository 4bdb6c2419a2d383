/** Compares what orchd heard of a random program with what the program said. */
import { hearCast } from '../../src/session/recordings/parse.js';
import type { RandomConversation } from './random-painter.js';
import type { Said } from './random-texts.js';

export interface HeardPainter {
  readonly said: number;
  readonly heard: number;
  /** Messages with other words that are marked as not exact; also counted as heard. */
  readonly guessed: number;
  /** What was heard wrong, in words. */
  readonly wrong: readonly string[];
  readonly cast: string;
}

/** At least this part of the letters must be the same in a message that is not exact. */
const MIN_ALIKE = 0.7;

export function hearPainter({ steps, size, said }: RandomConversation): HeardPainter {
  const cast = toCast(steps, size);
  const parsing = hearCast(cast);
  if (!parsing.ok) throw new Error(parsing.message);
  const left = [...said];
  const wrong: string[] = [];
  let heard = 0;
  let guessed = 0;
  const take = (found: number): void => {
    left.splice(found, 1);
    heard++;
  };
  for (const event of parsing.events) {
    if (event.event_type !== 'message') {
      wrong.push(`rejected (${event.reason}): ${event.raw.slice(0, 200)}`);
      continue;
    }
    const { type, data } = event.message;
    const same = left.findIndex((other) => other.type === type && print(other.data) === print(data));
    if (same !== -1) {
      take(same);
      continue;
    }
    const like = left.findIndex((other) => other.type === type && isAlike(print(other.data), print(data)));
    if (like !== -1 && event.exact === false) {
      take(like);
      guessed++;
    } else wrong.push(`${like === -1 ? double(said, data) : 'changed'}: ${print(data).slice(0, 300)}`);
  }
  return { said: said.length, heard, guessed, wrong, cast };
}

const double = (said: readonly Said[], data: unknown): string =>
  said.some((other) => isAlike(print(other.data), print(data))) ? 'double' : 'invented';

function print(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, entry]) => `${name}:${print(entry)}`).join()}}`;
}

/** True if the letters and digits of the shorter text occur in the longer one in their order, and are most of them. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/\\[nu]|[^\p{L}\p{N}]/gu, ''));
  const [longer = '', shorter = ''] = (a?.length ?? 0) > (b?.length ?? 0) ? [a, b] : [b, a];
  let at = 0;
  for (const char of longer) if (char === shorter[at]) at++;
  return at >= longer.length * MIN_ALIKE;
}

function toCast(steps: RandomConversation['steps'], [cols, rows]: RandomConversation['size']): string {
  const lines: unknown[] = [{ version: 2, width: cols, height: rows }];
  let time = 0;
  for (const step of steps) {
    time += step.afterMs;
    lines.push([time / 1000, step.kind, step.kind === 'r' ? `${step.cols}x${step.rows}` : step.data]);
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}
