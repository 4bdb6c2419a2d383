/** Generates the table of limits in docs/reference/limits.md, between `<!-- limits -->` and `<!-- /limits -->`. */
import { MAX_BLOCK_CHARS, MAX_ENVELOPE_CHARS, MAX_IDS, MAX_JSON_DEPTH, MAX_RAW_CHARS } from '../../ears/index.js';
import { AWAY_CAP_BYTES, DEFAULT_KILL_GRACE_MS, INPUT_QUEUE_BYTES, STDIN_BYTES } from '../../host/index.js';
import { MAX_OPEN_CHARS, MAX_OPEN_ITEMS } from '../../lifecycle/sessions/items.js';
import { MAX_SOCKET_PATH_BYTES } from '../../protocol/index.js';
import { MAX_PROBLEMS } from '../../workflow/syntax/index.js';
import { table } from './markdown.js';

const number = (value: number): string => value.toLocaleString('en-US');
const size = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${number(bytes / 1024 / 1024)} MiB` : `${number(bytes / 1024)} KiB`;

const LIMITS: readonly (readonly [what: string, limit: string, beyond: string])[] = [
  ['a message block', `${size(MAX_BLOCK_CHARS)} of text`, 'rejected (`oversized`)'],
  ['an envelope', `${size(MAX_ENVELOPE_CHARS)} of text`, 'rejected (`oversized`)'],
  ['nesting of JSON', `${number(MAX_JSON_DEPTH)} levels`, 'rejected (`json`)'],
  ['text of a rejected message that is kept', `${number(MAX_RAW_CHARS)} characters`, 'the rest is cut'],
  ['ids that a session remembers', number(MAX_IDS), 'the oldest are forgotten'],
  [
    'open items of a session',
    `${number(MAX_OPEN_ITEMS)}, or ${size(MAX_OPEN_CHARS)} of text`,
    'further messages open none (`too_many_open`)',
  ],
  ['standard input of a batch session', size(STDIN_BYTES), 'refused'],
  ['input that waits for a program', size(INPUT_QUEUE_BYTES), 'refused (`ORCHD_INPUT_FULL`)'],
  ['output that is kept while no daemon runs', size(AWAY_CAP_BYTES), 'the program pauses'],
  ['time between TERM and KILL', `${number(DEFAULT_KILL_GRACE_MS / 1000)} s`, '`sessions.kill_grace_ms` changes it'],
  ['path of a Unix socket', `${MAX_SOCKET_PATH_BYTES} bytes`, 'refused (`ORCHD_SOCKET_PATH`)'],
  ['problems that are reported of one Agentfile', number(MAX_PROBLEMS), 'the rest is left out'],
];

const PLACE = /<!-- limits -->[\s\S]*<!-- \/limits -->/;

/** @returns The page with its table renewed. */
export function renewLimitsPage(page: string): string {
  if (!PLACE.test(page)) throw new Error('docs/reference/limits.md has no place for the limits');
  return page.replace(
    PLACE,
    () => `<!-- limits -->\n${table(['what', 'limit', 'beyond it'], LIMITS)}\n<!-- /limits -->`,
  );
}
