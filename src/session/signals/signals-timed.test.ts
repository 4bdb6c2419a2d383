/**
 * Tests the activity of an agent around Enter and at its start, in virtual time. A scripted host sends the ordered
 * ticks after the last output, as the real host does.
 */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createHearing } from '../hearing/session-hearing.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';

const RULE = '─'.repeat(80);
const composer = (text: string): string[] => [RULE, `❯ ${text}`, RULE, '  ⏸ manual mode on'];
const picture = (rows: readonly string[]): string => rows.map((row, y) => `\x1b[${y + 1};1H\x1b[K${row}`).join('');
/** Maximum number of ticks for one expected finding. More would burden the daemon. */
const MAX_TICKS = 10;

type Timed = Happening & { readonly time: number };

/** Feeds the records and the ordered ticks. Returns all findings with their times. */
function hear(happenings: readonly Timed[], untilMs: number): { found: [number, string][]; ticks: number } {
  const record = createRecorder();
  const hearing = createHearing();
  const found: [number, string][] = [];
  let ticks = 0;
  let printedAt = 0;
  let clock = 0;
  const push = (happening: Timed): void => {
    clock = happening.time;
    if (happening.kind === 'out') printedAt = clock;
    for (const finding of hearing.push(record(happening))) found.push([clock, nameOf(finding)]);
  };
  const tickUntil = (end: number): void => {
    for (let since = 0; since < MAX_TICKS; since++) {
      const wanted = hearing.wantsTick();
      const at = wanted && Math.max(clock, printedAt + wanted.quietMs);
      if (at === null || at >= end) return;
      ticks++;
      push({ kind: 'tick', quietMs: wanted?.quietMs ?? 0, time: at });
    }
    expect.fail(`a storm of ticks at ${clock} ms`);
  };
  for (const happening of happenings) {
    tickUntil(happening.time);
    push(happening);
  }
  tickUntil(untilMs);
  return { found, ticks };
}

const nameOf = (finding: Finding): string => (finding.kind === 'activity' ? finding.activity : finding.kind);

function start(adapter: string, agent: unknown): Timed[] {
  const about = { adapter, agent };
  return [
    { kind: 'start', sessionId: 's', command: [adapter], cwd: '/', pid: 1, cols: 80, rows: 24, time: 0 },
    { kind: 'note', name: 'session', data: about, time: 0 },
  ];
}

const out = (time: number, text: string): Timed => ({ kind: 'out', bytes: Buffer.from(text), time });

/** The records that the host writes: when typing begins, and when Enter was typed. */
function write(time: number, enterAt: number, text: string): Timed[] {
  const input = { kind: 'input', writeId: 'w', text: `${text}\r`, length: text.length + 1, submits: true } as const;
  return [
    { ...input, phase: 'begin', time },
    { ...input, phase: 'end', time: enterAt },
  ];
}

const CLAUDE = [
  ...start('claude', { dir: '/' }),
  out(100, `\x1b[?1049h\x1b]0;✳ Claude Code\x07${picture(composer(''))}`),
];

describe('the activity of an agent', () => {
  it('is unknown until its composer is drawn', () => {
    const { found } = hear(CLAUDE, 1000);
    expect(found).toEqual([[140, 'idle']]);
  });

  it('is busy with its first line of output', () => {
    const { found } = hear([...start('claude', null), out(100, 'Hello.\r\n')], 1000);
    expect(found).toEqual([[100, 'busy']]);
  });

  // Each step is looked at, because a message could begin in it.
  it('is read now and then while a spinner turns, and soon when it ends', () => {
    const title = (sign: string): string => `\x1b]0;${sign} Claude Code\x07`;
    const frame = (sign: string, row: string): string =>
      `\x1b[?2026h${title(sign)}${picture([`${sign} Working…`, '  ⎿ Read {a, b}', row, ...composer('')])}\x1b[?2026l`;
    const steps = Array.from({ length: 40 }, (_, step) => out(1000 + step * 100, frame('⠐⠂'[step % 2] ?? '', '')));
    const { found, ticks } = hear([...CLAUDE, ...steps, out(5000, frame('✳', 'Done.'))], 6000);
    expect(found).toEqual([
      [140, 'idle'],
      [1000, 'busy'],
      [5040, 'idle'],
    ]);
    // Not one for each of the 40 steps.
    expect(ticks).toBeLessThan(30);
  });

  it('is not idle again after an Enter because of the time before', () => {
    const [begin, end] = write(60_000, 60_400, 'JWT');
    const echo = out(60_010, picture(composer('JWT')));
    const { found } = hear([...CLAUDE, begin as Timed, echo, end as Timed, out(60_420, picture(composer('')))], 60_500);
    expect(found.slice(1).map(([, name]) => name)).toEqual(['turn', 'written']);
  });

  it('is not idle after an Enter because the agent became idle just before', () => {
    const busy = out(1000, `\x1b]0;◐ Claude Code\x07${picture(composer(''))}`);
    const rest = out(2000, `\x1b]0;✳ Claude Code\x07${picture(composer(''))}`);
    const [begin, end] = write(2010, 2410, 'JWT');
    const echo = out(2020, picture(composer('JWT')));
    const { found } = hear([...CLAUDE, busy, rest, begin as Timed, echo, end as Timed], 2500);
    expect(found.map(([, name]) => name)).toEqual(['idle', 'busy', 'turn', 'written']);
  });

  it('is not unknown while the row below its composer shows something else', () => {
    const [begin, end] = write(60_000, 62_000, 'JWT');
    const pasted = [RULE, '❯ [Pasted text #1 +3 lines]', RULE, '  paste again to expand'];
    const records = [begin as Timed, out(60_010, picture(pasted)), end as Timed, out(62_020, picture(composer('')))];
    const { found } = hear([...CLAUDE, ...records], 62_100);
    expect(found.slice(1).map(([, name]) => name)).toEqual(['turn', 'written']);
  });

  it('is idle again if nothing follows an Enter', () => {
    const { found } = hear(
      [...CLAUDE, { kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits: true, time: 60_000 }],
      70_000,
    );
    expect(found.slice(1)).toEqual([
      [60_000, 'turn'],
      [60_400, 'idle'],
    ]);
  });

  it('is watched with few ticks while the composer keeps the submitted text', () => {
    const echo = out(60_010, picture(composer('JWT')));
    const [begin, end] = write(60_000, 60_400, 'JWT');
    const { found, ticks } = hear([...CLAUDE, begin as Timed, echo, end as Timed], 120_000);
    expect(found.slice(1).map(([, name]) => name)).toEqual(['turn', 'written']);
    expect(ticks).toBeLessThan(MAX_TICKS);
  });

  it('is read if the first picture is complete before the program is known to paint', () => {
    const rows = ['pi', RULE, '', RULE, '~/proj', '0.0%/128k (auto)  mock-model'];
    const first = `${rows.join('\r\n')}\x1b[3A\x1b[1G`; // going up is what tells that it paints
    const { found } = hear([...start('pi', { dir: '/' }), out(100, first)], 1000);
    expect(found).toEqual([[140, 'idle']]);
  });

  it('is idle if a spinner stands still for seconds, and busy once it turns again', () => {
    const pi = (row: string): string => picture([row, '', RULE, '', RULE, '~/proj', '0.0%/128k (auto)  mock-model']);
    const first = [...start('pi', { dir: '/' }), out(100, `\x1b[?1049h${pi('')}`)];
    const spins = [1000, 1100, 1200].map((time, frame) => out(time, pi(` ${'⠋⠙⠹'[frame]} Working...`)));
    const again = out(60_000, pi(' ⠸ Working...'));
    const { found, ticks } = hear([...first, ...spins, again], 60_100);
    expect(found).toEqual([
      [140, 'idle'],
      [1040, 'busy'],
      [6200, 'idle'],
      [60_040, 'busy'],
    ]);
    expect(ticks).toBeLessThan(MAX_TICKS);
  });

  it('is idle if a spinner stands still beside other output', () => {
    const pi = (row: string): string => picture([' ⠋ Working...', row, RULE, '', RULE, '~/proj', '0.0%/128k (auto)']);
    const first = [...start('pi', { dir: '/' }), out(100, '\x1b[?1049h')];
    const clock = Array.from({ length: 100 }, (_, n) => out(1000 + 100 * n, pi(`${n} seconds`)));
    const { found } = hear([...first, ...clock], 11_000);
    expect(found).toEqual([
      [1040, 'busy'],
      [6040, 'idle'],
    ]);
  });
});

describe('the activity of a program without an adapter', () => {
  const begin = [...start('tool', null), out(0, '\x1b[?1049h')];
  const frames = (count: number, rowsOf: (step: number) => readonly string[]): Timed[] =>
    Array.from({ length: count }, (_, step) => out(100 + step * 100, picture(rowsOf(step))));
  const clock = (step: number): string => `${'⠋⠙⠹'[step % 3]} Ready (${Math.floor(step / 10)}s)`;

  it('is unknown once only a clock and a spinner have changed for a minute', () => {
    const { found } = hear([...begin, ...frames(700, (step) => ['A tool', clock(step), '> '])], 70_000);
    expect(found.slice(1)).toEqual([[60_140, 'unknown']]);
  });

  it('is not unknown while its words change', () => {
    const said = (step: number): string => `compiled ${'abcdefgh'[Math.floor(step / 100)]}.ts`;
    const { found } = hear([...begin, ...frames(800, (step) => [said(step), clock(step), '> '])], 80_000);
    expect(found.slice(1)).toEqual([]);
  });

  it('is unknown a minute after the next Enter, and not before', () => {
    const enter = { kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits: true } as const;
    const happenings = [...begin, ...frames(1300, (step) => ['A tool', clock(step), '> '])];
    happenings.splice(652, 0, { ...enter, time: 65_000 });
    const { found } = hear(happenings, 131_000);
    const [at = 0] = found.findLast(([, name]) => name === 'unknown') ?? [];
    expect(found.filter(([, name]) => name === 'unknown').length).toBe(2);
    expect(at).toBeGreaterThanOrEqual(125_000);
  });
});
