/**
 * The modes that check every statement of orchd: `--texts`, `--exit-words`, `--drafts`, `--sizes`, `--two-open`
 * and `--cases`.
 *
 * Out:  one row for each mode and size. Several modes can be combined; they run one after the other.
 */
import { join } from 'node:path';
import type { Client } from '../../src/client/index.js';
import { driveAutoMode, driveClear, driveShown } from './cases.js';
import { driveDrafts } from './drafts.js';
import type { EventLog } from './event-log.js';
import type { Trial } from './host-agent.js';
import type { Options } from './options.js';
import { sizesOf } from './options.js';
import { driveRounds, type RoundsResult } from './rounds.js';
import { ODD_SIZES, resizer, TEXTS_PER_SIZE } from './sizes.js';
import { FIXTURES, readRounds, type TextRound } from './texts.js';
import { driveTwoOpen } from './two-open.js';

export interface Plan {
  /** The name of the test in the table. */
  readonly mode: string;
  readonly size: { readonly cols: number; readonly rows: number };
  /** The only program that is tried. */
  readonly only?: string;
  run(client: Client, log: EventLog, trial: Omit<Trial, 'script'>, signal: AbortSignal): Promise<RoundsResult>;
}

const DRAFT_TIMES = 3;
const RESIZED = '100x30';

/** Returns the trials for each agent; [] if none of these modes was chosen. */
export function plansOf(options: Options): Plan[] {
  const sizes = sizesOf(options.size ?? RESIZED);
  const each = (mode: string, run: Plan['run']): Plan[] => sizes.map((size) => ({ mode, size, run }));
  const { fixture = join(FIXTURES, 'texts.json') } = options;
  return [
    ...(options.texts
      ? each(
          'texts',
          inTurn(() => part(readRounds(fixture), options)),
        )
      : []),
    ...(options['exit-words']
      ? each(
          'exit words',
          inTurn(() => part(readRounds(join(FIXTURES, 'exit-words.json')), options)),
        )
      : []),
    ...(options.drafts
      ? each('drafts', (client, log, trial, signal) =>
          driveDrafts(client, log, trial, Number(options.times ?? DRAFT_TIMES), signal),
        )
      : []),
    ...(options.sizes ? oddSizes(options) : []),
    ...(options['two-open'] ? each('two open', driveTwoOpen) : []),
    ...(options.cases
      ? [
          ...each('new conversation', driveClear),
          ...each('file shown by a person', driveShown),
          ...each('auto mode', driveAutoMode).map((plan) => ({ ...plan, only: 'claude' })),
        ]
      : []),
  ];
}

const inTurn =
  (rounds: () => TextRound[]): Plan['run'] =>
  (client, log, trial, signal) =>
    driveRounds(client, log, trial, rounds(), signal);

const part = (rounds: TextRound[], { from, to }: Options): TextRound[] =>
  rounds.slice(Number(from) - 1, to === undefined ? undefined : Number(to));

/** Uses different texts at each size, and the last ones while the size changes. */
function oddSizes({ seed, size }: Options): Plan[] {
  const all = readRounds(join(FIXTURES, 'texts.json'));
  const some = (place: number): TextRound[] =>
    Array.from({ length: TEXTS_PER_SIZE }, (_, index) => all[(place + index * ODD_SIZES.length) % all.length]).filter(
      (round) => round !== undefined,
    );
  const fixed = sizesOf(size ?? ODD_SIZES.join(',')).map(
    (one, place): Plan => ({ mode: 'sizes', size: one, run: inTurn(() => some(place)) }),
  );
  const [first = { cols: 100, rows: 30 }] = sizesOf(RESIZED);
  const changing: Plan = {
    mode: 'resized while painting',
    size: first,
    run: (client, log, trial, signal) =>
      driveRounds(client, log, trial, some(1), signal, { meanwhile: resizer(Number(seed), first) }),
  };
  return [...fixed, changing];
}
