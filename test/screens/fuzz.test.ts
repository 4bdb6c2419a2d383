/**
 * Compares orchd's screen with tmux's after random output: both show the same, or the difference is a known one.
 *
 * ORCHD_FUZZ=10000 sets the number of cases, ORCHD_FUZZ_SEED the seed. Needs a tmux version whose differences are
 * known.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Screen } from '../../src/terminal/index.js';
import { createRandom } from '../harness/random.js';
import { compare, type Differences } from './compare.js';
import { DIFFERENCES, SIZE, TMUX_VERSIONS } from './differences.js';
import { explain, type Sides } from './explain.js';
import { type Look, lookAt } from './look.js';
import { BREAK_OFF, openRawPane, type RawPane } from './raw-pane.js';
import { randomCase } from './sequences.js';
import { tmuxVersion } from './tmux-pane.js';

const CASES = Number(process.env['ORCHD_FUZZ'] ?? 240);
const SEED = Number(process.env['ORCHD_FUZZ_SEED'] ?? 1);
/** Test timeout: a case takes about 20 ms if there is no difference to explain. */
const PATIENCE_MS = 60_000 + CASES * 200;
const SIZES = [SIZE, { cols: 37, rows: 9, scrollbackLines: 50 }];

const version = tmuxVersion();
const isKnown = version !== null && TMUX_VERSIONS.includes(version);
if (!isKnown)
  console.warn(`not compared with tmux: it is ${version ?? 'not installed'}, known are ${TMUX_VERSIONS.join(', ')}`);

async function show(size: typeof SIZE, bytes: string): Promise<Look> {
  const screen = new Screen(size);
  await new Promise<void>((resolve) => screen.feed(Buffer.from(`${bytes}${BREAK_OFF}`), resolve));
  const look = lookAt(screen);
  screen.dispose();
  return look;
}

describe.runIf(isKnown).each(SIZES)('orchd and tmux with $cols columns and $rows rows', (size) => {
  let pane: RawPane;
  beforeAll(async () => {
    pane = await openRawPane(size);
  });
  afterAll(() => pane.close());

  const sides: Sides = {
    async compare(pieces): Promise<Differences> {
      const bytes = pieces.join('');
      const [orchd, tmux] = await Promise.all([show(size, bytes), pane.show(bytes)]);
      return compare(orchd, tmux);
    },
    isWrapPending: async (pieces) => (await pane.show(pieces.join(''))).isWrapPending === true,
  };

  test(
    'random output leaves the same screen as in tmux, or differs for a known reason',
    async () => {
      const random = createRandom(SEED + size.cols);
      const counts = new Map<string, number>();
      const unexplained: object[] = [];
      let equal = 0;
      for (let at = 0; at < CASES / SIZES.length; at++) {
        const pieces = randomCase(random);
        const { known, unknown } = await explain(pieces, sides, DIFFERENCES);
        if (unknown) unexplained.push({ seed: SEED, case: at, unknown });
        if (known.length === 0) equal++;
        for (const name of known) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      if (process.env['ORCHD_FUZZ']) console.log(`equal at once: ${equal} of ${CASES / SIZES.length}`, counts);
      expect(unexplained).toEqual([]);
      expect(equal, 'most cases show no difference at all').toBeGreaterThan(CASES / SIZES.length / 2);
    },
    PATIENCE_MS,
  );

  test.runIf(size === SIZE).each(DIFFERENCES)('$name: the recorded difference is still exact', async (one) => {
    expect(await sides.compare([one.example])).toEqual(one.differs);
    expect(one.parts).toEqual(expect.arrayContaining(Object.keys(one.differs)));
  });
});
