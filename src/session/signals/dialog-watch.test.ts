/**
 * Dialogs that flicker: a scripted Claude Code that hides, half draws, moves and updates its dialog, by the clock of
 * the records. Frames and pauses are random with fixed seeds.
 */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createHearing } from '../hearing/session-hearing.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';

const RULE = '─'.repeat(80);
const composer = (text: string): string[] => [RULE, `❯ ${text}`, RULE, '  ⏸ manual mode on'];
const dialog = (command: string, ...extra: string[]): string[] => [
  RULE,
  ' Bash command',
  ` ${command}`,
  ...extra,
  ' Do you want to proceed?',
  ' ❯ 1. Yes',
  '   2. No',
];
const LEGEND = [RULE, ' Auto mode is not available', ' Enter to stay in auto mode · Esc to cancel'];
/** Rows of a transcript. The text after a bullet looks like a list of choices. */
const words = (lead: string): string[] => [`${lead} Running 1 shell command…`, '  ⎿  $ cat <<EOF', '     1. first', ''];

function random(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Stage {
  readonly #record = createRecorder();
  readonly #hearing = createHearing({ adapter: 'claude' });
  readonly found: Finding[] = [];
  #printedAt = 0;
  #clock = 0;

  constructor() {
    this.#push({ kind: 'start', sessionId: 's', command: ['claude'], cwd: '/', pid: 1, cols: 80, rows: 24 });
  }

  /** A stage whose program has begun to paint. */
  static painted(): Stage {
    const stage = new Stage();
    stage.enter();
    return stage;
  }

  /** Begins to paint. */
  enter(): void {
    this.#push({ kind: 'out', bytes: Buffer.from('\x1b[?1049h\x1b]0;✳ Claude Code\x07') });
  }

  /** Gives the screen back, as before an editor. */
  leave(): void {
    this.#push({ kind: 'out', bytes: Buffer.from('\x1b[?1049l') });
  }

  /** Paints after a pause, with the ticks that were ordered. */
  paint(afterMs: number, rows: readonly string[]): void {
    this.pause(afterMs);
    const text = rows.map((row, y) => `\x1b[${y + 1};1H${row}`).join('');
    this.#push({ kind: 'out', bytes: Buffer.from(`\x1b[H\x1b[2J${text}`) });
    this.#printedAt = this.#clock;
  }

  resize(cols: number, rows: number): void {
    this.#push({ kind: 'resize', cols, rows });
  }

  type(text: string): void {
    this.#push({
      kind: 'input',
      phase: 'keys',
      writeId: null,
      text: null,
      length: text.length,
      submits: text === '\r',
    });
  }

  pause(forMs: number): void {
    const end = this.#clock + forMs;
    let last = 0;
    for (let tick = this.#hearing.wantsTick(); tick && tick.quietMs > last; tick = this.#hearing.wantsTick()) {
      last = tick.quietMs;
      const at = Math.max(this.#clock, this.#printedAt + last);
      if (at >= end) break;
      this.#clock = at;
      this.#push({ kind: 'tick', quietMs: last });
    }
    this.#clock = end;
  }

  /** A hook asks if a command may run. */
  ask(callId: string, command: string): void {
    this.#push({ kind: 'note', name: 'hook', data: { callId, text: command, shows: command, choices: ['Yes', 'No'] } });
  }

  /** The person's answer is given to a hook. */
  give(callId: string): void {
    for (const phase of ['given', 'taken']) this.#push({ kind: 'note', name: 'tool', data: { callId, phase } });
  }

  /** The dialogs that opened and ended, in order. */
  get changes(): string[] {
    return this.found.flatMap((finding) => {
      if (finding.kind === 'attention' && finding.source === 'hook') return [];
      if (finding.kind === 'attention_over' && finding.source === 'hook') return [];
      if (finding.kind === 'attention') return [`open ${finding.text.split('\n')[1] ?? finding.text}`];
      return finding.kind === 'attention_over' ? [finding.wasTyped ? 'over, typed' : 'over'] : [];
    });
  }

  #push(happening: Happening): void {
    this.found.push(...this.#hearing.push(this.#record({ ...happening, time: this.#clock })));
  }
}

describe('a dialog', () => {
  it('is one item while it is hidden, half drawn or updated, and ends when it is gone', () => {
    for (let seed = 0; seed < 60; seed++) {
      const next = random(seed);
      const stage = Stage.painted();
      const frames: (() => string[])[] = [
        () => [...words('●'), ...dialog('make')],
        () => [...words(' '), ...dialog('make')],
        () => dialog('make').slice(0, 1 + next(6)),
        () => [...words('●'), ...composer('')],
        () => [...words('● '), 'another line of output', ...dialog('make')],
        () => [],
      ];
      stage.paint(0, composer(''));
      for (let frame = 0; frame < 120; frame++) {
        // At most two frames in a row lack the dialog or half of it, together for less than STAND_MS.
        const isWhole = frame % 3 === 0 || next(3) > 0;
        const rows = isWhole ? [...words(next(2) ? '●' : ' '), ...dialog('make')] : frames[next(frames.length)]?.();
        stage.paint(10 + next(120), rows ?? []);
      }
      stage.paint(100, [...words('●'), ...dialog('make')]);
      stage.pause(500);
      expect(stage.changes, `seed ${seed}`).toEqual(['open make']);
      stage.paint(20, composer(''));
      stage.pause(1000);
      expect(stage.changes, `seed ${seed}`).toEqual(['open make', 'over']);
    }
  });

  it('with a clock, a spinner and a changing transcript stays the same item', () => {
    for (let seed = 0; seed < 20; seed++) {
      const next = random(seed);
      const stage = Stage.painted();
      for (let second = 0; second < 90; second++) {
        const clock = ` ${'⠋⠙⠹⠸'[second % 4]} Waiting for ${second > 59 ? '1m ' : ''}${second % 60}s (${second}%)`;
        stage.paint(100 + next(1200), [...words('●').slice(next(3)), ...dialog('make', clock)]);
      }
      expect(stage.changes, `seed ${seed}`).toEqual(['open make']);
    }
  });

  it('in which a person chooses before it counts as open ends as typed', () => {
    for (const [keys, over] of [
      ['1', 'over, typed'],
      ['', 'over'],
    ] as const) {
      const stage = Stage.painted();
      stage.paint(0, composer(''));
      stage.paint(1000, [...words('●'), ...dialog('make')]);
      stage.pause(200);
      if (keys !== '') stage.type(keys);
      stage.pause(250);
      stage.paint(100, [...words('●'), ...composer('')]);
      stage.pause(1000);
      expect(stage.changes).toEqual(['open make', over]);
    }
  });

  it('is read only below its border', () => {
    const stage = Stage.painted();
    stage.paint(0, composer(''));
    for (let blink = 0; blink < 20; blink++) stage.paint(600, [...words(blink % 2 ? '●' : ' '), ...LEGEND]);
    const opened = stage.found.flatMap((finding) => (finding.kind === 'attention' ? [finding] : []));
    expect(opened).toMatchObject([
      {
        text: 'Auto mode is not available',
        choices: [
          { label: 'stay in auto mode', keys: '\r' },
          { label: 'cancel', keys: '\x1b' },
        ],
      },
    ]);
  });

  it('stays the same item after resizes that wrap its text elsewhere', () => {
    const stage = Stage.painted();
    const text = 'rm -rf build/output/of/the/last/run and everything that is below it';
    stage.paint(0, dialog(text));
    stage.pause(1000);
    for (const cols of [50, 120, 44, 80]) {
      stage.resize(cols, 24);
      stage.pause(700);
      const wrapped = [text.slice(0, cols - 10).trim(), text.slice(cols - 10).trim()].filter(Boolean);
      stage.paint(0, [
        RULE.slice(0, cols),
        ' Bash command',
        ...wrapped.map((row) => ` ${row}`),
        ...dialog('').slice(3),
      ]);
      stage.pause(1000);
    }
    expect(stage.changes.length).toBe(1);
  });

  it('is ignored if only a repaint shows it', () => {
    const stage = Stage.painted();
    stage.paint(0, composer(''));
    for (let frame = 0; frame < 30; frame++) {
      stage.paint(450, [...words('●'), ...composer('')]);
      stage.paint(0, [...words('●'), ...dialog('make')]);
      stage.paint(150, [...words('●'), ...composer('')]);
    }
    expect(stage.changes).toEqual([]);
  });

  it('that differs only by a number is another item after a key press', () => {
    const stage = Stage.painted();
    stage.paint(0, dialog('sleep 5s'));
    stage.pause(1000);
    stage.type('1');
    stage.paint(50, dialog('sleep 6s'));
    stage.pause(1000);
    expect(stage.changes).toEqual(['open sleep 5s', 'over, typed', 'open sleep 6s']);
  });

  it('stays while arrow keys move its pointer', () => {
    const stage = Stage.painted();
    stage.paint(0, dialog('make'));
    stage.pause(1000);
    stage.type('\x1b[B');
    stage.paint(20, []);
    stage.paint(60, dialog('make'));
    stage.pause(1000);
    expect(stage.changes).toEqual(['open make']);
  });

  it('ends at once when a key has closed it', () => {
    const stage = Stage.painted();
    stage.paint(0, dialog('make'));
    stage.pause(1000);
    stage.type('1');
    stage.paint(50, composer(''));
    stage.pause(60);
    expect(stage.changes).toEqual(['open make', 'over, typed']);
  });

  it('that is drawn after its hook was answered opens only if it stays for 5 s', () => {
    const stage = Stage.painted();
    stage.paint(0, composer(''));
    stage.ask('c1', 'make clean');
    stage.pause(200);
    stage.give('c1');
    stage.paint(100, [...words('●'), ...dialog('make clean')]);
    stage.pause(3000);
    stage.paint(0, composer(''));
    stage.pause(1000);
    expect(stage.changes).toEqual([]);
    stage.paint(0, dialog('make other'));
    stage.pause(500);
    expect(stage.changes).toEqual(['open make other']);
    stage.paint(0, composer(''));
    stage.pause(1000);
    stage.ask('c2', 'make clean');
    stage.give('c2');
    stage.paint(100, dialog('make clean'));
    stage.pause(6000);
    expect(stage.changes.slice(2)).toEqual(['open make clean']);
  });

  const showFor3s = (stage: Stage): void => {
    stage.paint(100, dialog('make clean'));
    stage.pause(3000);
    stage.paint(0, composer(''));
    stage.pause(1000);
  };

  it('whose hook asked before anything was painted opens only if it stays for 5 s', () => {
    const stage = new Stage();
    stage.ask('c1', 'make clean');
    stage.pause(200);
    stage.give('c1');
    stage.enter();
    showFor3s(stage);
    expect(stage.changes).toEqual([]);
  });

  it('whose hook asked while the agent had left its screen opens only if it stays for 5 s', () => {
    const stage = Stage.painted();
    stage.paint(0, composer(''));
    stage.ask('c1', 'make clean');
    stage.leave();
    stage.give('c1');
    stage.enter();
    showFor3s(stage);
    expect(stage.changes).toEqual([]);
  });

  it('that is drawn for a second hook with the same question opens at once', () => {
    const stage = Stage.painted();
    stage.paint(0, composer(''));
    stage.ask('c1', 'make clean');
    stage.give('c1');
    stage.ask('c2', 'make clean');
    stage.paint(100, dialog('make clean'));
    stage.pause(500);
    expect(stage.changes).toEqual(['open make clean']);
  });
});
