import { expect, onTestFinished, test, vi } from 'vitest';
import { widthOf } from '../../protocol/index.js';
import { table } from './paint.js';

const HEAD = ['ID', 'NAME', 'STATE', 'OPEN', 'JOURNAL', 'AT', 'COMMAND'];
const LESS_NEEDED = ['COMMAND', 'JOURNAL', 'AT', 'OPEN'];
const texts = [
  'ses_khxemcb4wq',
  'a-session-with-名前',
  '? waiting',
  '12',
  '256 MB, 8.0 MB/s',
  '75% Writing the page',
  'node',
];
const rows = [texts, texts].map((row) => row.map((text) => ({ text })));
const made = async (columns: number): Promise<string[]> =>
  (await table((_style, text) => text, HEAD, rows, columns, LESS_NEEDED)).trimEnd().split('\n');

test('makes no row wider than the terminal, from 40 columns on', async () => {
  for (let columns = 40; columns <= 140; columns++) {
    for (const row of await made(columns)) expect(widthOf(row), `${columns}: ${row}`).toBeLessThanOrEqual(columns);
  }
});

test.each([
  [40, ['ID', 'NAME', 'STATE']],
  [60, ['ID', 'NAME', 'STATE', 'OPEN', 'AT']],
  [200, HEAD],
])('shows at %i columns the columns %j', async (columns, titles) => {
  expect((await made(columns))[0]?.split(/ {2,}/)).toEqual(titles);
});

test('is ASCII on a terminal whose locale is not UTF-8, and whole in a pipe', async () => {
  vi.stubEnv('LC_ALL', 'C');
  onTestFinished(() => void vi.unstubAllEnvs());
  const cells = [[{ text: '● working' }, { text: 'größe, a long text' }]];
  const drawn = (columns: number) => table((_style, text) => text, ['STATE', 'NAME'], cells, columns);
  expect(await drawn(22)).toBe('STATE      NAME\n* working  gr??e, a l~\n');
  expect(await drawn(Number.POSITIVE_INFINITY)).toContain('● working  größe, a long text\n');
});
