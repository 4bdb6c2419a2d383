/**
 * Tests from the terminal manuals: what a sequence leaves on the screen. tmux runs the same cases, so that an
 * expectation that only orchd meets is noticed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Screen } from '../../src/terminal/index.js';
import { type Look, lookAt } from './look.js';
import { openRawPane, type RawPane } from './raw-pane.js';
import { tmuxVersion } from './tmux-pane.js';

interface Case {
  readonly name: string;
  /** The manual that defines the behaviour. */
  readonly after: string;
  readonly input: string;
  /** Rows from the top, without trailing empty rows. */
  readonly screen: readonly string[];
  /** Row and column of the cursor, from 1. */
  readonly cursor: string;
}

const PATH = join(import.meta.dirname, '../../fixtures/conformance/cases.json');
const { size, cases }: { size: { cols: number; rows: number; scrollbackLines: number }; cases: readonly Case[] } =
  JSON.parse(readFileSync(PATH, 'utf8'));

function shown({ screen, cursor }: Look) {
  const rows = screen.map((cells) => cells.map(({ chars }) => chars).join('')).concat('');
  return { screen: rows.join('\n').trimEnd().split('\n'), cursor: `${cursor.y + 1};${cursor.x + 1}` };
}

test.each(cases)('$name ($after)', async ({ input, screen, cursor }) => {
  const one = new Screen(size);
  await new Promise<void>((resolve) => one.feed(Buffer.from(input), resolve));
  expect(shown(lookAt(one))).toEqual({ screen, cursor });
  one.dispose();
});

describe.runIf(tmuxVersion())('tmux', () => {
  let pane: RawPane;
  beforeAll(async () => {
    pane = await openRawPane(size);
  });
  afterAll(() => pane.close());

  test('shows the same screen for every case', async () => {
    for (const { name, input, screen, cursor } of cases)
      expect(shown(await pane.show(input)), name).toEqual({ screen, cursor });
  });
});
