/** What a screen says of its program, in cases that no recording holds: a scripted Claude Code, painted row by row. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import type { Hearing } from '../hearing/hearing.js';
import { createHearing } from '../hearing/session-hearing.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';

const RULE = '─'.repeat(80);
const BLOCK = [
  '● I need to know:',
  '',
  '  orchestrator-message',
  '  {"type":"QUESTION","data":{"question":"Which one?"}}',
];
const DIALOG = [RULE, ' Bash command', ' make', ' Do you want to proceed?', ' ❯ 1. Yes', '   2. No'];
const composer = (text: string): string[] => [RULE, `❯ ${text}`, RULE, '  ⏸ manual mode on'];

/** A session that is painted, with the quiet that it asks for after each picture. */
function open(
  adapter: string,
  buffer: 'alternate' | 'main' = 'alternate',
): {
  readonly hearing: Hearing;
  readonly found: Finding[];
  paint(rows: readonly string[], title?: string): void;
  type(text: string): void;
  /** Prints lines, with the quiet behind them. */
  print(text: string): void;
  rest(): void;
} {
  const record = createRecorder();
  const hearing = createHearing({ adapter });
  const found: Finding[] = [];
  const push = (happening: Happening): void => {
    found.push(...hearing.push(record(happening)));
  };
  push({ kind: 'start', sessionId: 's', command: [adapter], cwd: '/', pid: 1, cols: 80, rows: 24 });
  const rest = (): void => {
    for (const quietMs of [40, 400]) {
      const tick = hearing.wantsTick();
      if (tick && tick.quietMs <= quietMs) push({ kind: 'tick', quietMs });
    }
  };
  if (buffer === 'alternate') push({ kind: 'out', bytes: Buffer.from('\x1b[?1049h') });
  return {
    hearing,
    found,
    rest,
    paint(rows, title) {
      const set = title === undefined ? '' : `\x1b]0;${title}\x07`;
      const text = rows.map((row, y) => `\x1b[${y + 1};1H${row}`).join('');
      push({ kind: 'out', bytes: Buffer.from(`${set}\x1b[2J${text}`) });
      rest();
    },
    print(text) {
      push({ kind: 'out', bytes: Buffer.from(text) });
      rest();
    },
    type(text) {
      const submits = text.endsWith('\r');
      push({ kind: 'input', phase: 'begin', writeId: null, text, length: text.length, submits });
    },
  };
}

const kinds = (found: readonly Finding[]): string[] =>
  found.map((finding) => (finding.kind === 'activity' ? finding.activity : finding.kind));

describe('signals', () => {
  it('are read of a composer that stands in the middle of a tall screen, as before OpenCode’s first turn', () => {
    const { hearing, paint } = open('opencode');
    const composer = ['  ┃', '  ┃  Ask anything…', '  ┃', '  ┃  Build · Mock Model', `  ╹${'▀'.repeat(40)}`];
    paint([...composer, ...Array<string>(17).fill(''), '~/proj  1.18.33']);
    expect(hearing.signal()).toMatchObject({ isReady: true, activity: 'idle', composer: '' });
  });

  it('tell a dialog that is painted over a block once, and the block once', () => {
    const { found, paint, type } = open('claude');
    paint(composer(''), '✳ Claude Code');
    type('go\r');
    paint([...BLOCK, ...composer('')], '◐ Claude Code');
    paint([...BLOCK.slice(0, 2), ...DIALOG]);
    paint([...BLOCK.slice(0, 2), ...DIALOG]);
    type('1');
    paint([...BLOCK, ...composer('')]);
    expect(kinds(found)).toEqual(['busy', 'idle', 'turn', 'busy', 'message', 'attention', 'attention_over']);
    expect(found.at(-2)).toMatchObject({
      text: 'Bash command\nmake\nDo you want to proceed?',
      choices: [
        { label: 'Yes', keys: '1' },
        { label: 'No', keys: '2' },
      ],
    });
    expect(found.at(-1)).toMatchObject({ source: 'dialog', wasTyped: true });
  });

  it('take another dialog in its place for another', () => {
    const { found, paint } = open('claude');
    paint(DIALOG);
    paint(DIALOG.map((row) => row.replace('make', 'make clean')));
    expect(kinds(found)).toEqual(['busy', 'attention', 'attention_over', 'attention']);
    expect(found[2]).toMatchObject({ wasTyped: false });
  });

  it('take no list in the words of an agent for a dialog', () => {
    const { found, paint } = open('claude');
    paint(['● It asks:', ...DIALOG.slice(1), ...composer('')], '✳ Claude Code');
    expect(kinds(found)).toEqual(['busy', 'idle']);
  });

  it('do not take a picture that is being painted for one that stands', () => {
    const { found, paint, rest } = open('claude');
    paint(DIALOG.slice(0, 5));
    expect(kinds(found)).toEqual(['busy']); // one choice is no question
    paint(DIALOG);
    rest();
    expect(kinds(found)).toEqual(['busy', 'attention']);
  });

  it('say whether input counts, and what stands in the composer', () => {
    const { hearing, paint } = open('claude');
    expect(hearing.signal()?.isReady).toBe(false);
    paint(composer(''), '✳ Claude Code');
    expect(hearing.signal()).toMatchObject({ isReady: true, readyAt: 0, activity: 'idle', composer: '', dialog: null });
    paint(composer('an answer'));
    expect(hearing.signal()?.composer).toBe('an answer');
    paint(composer('\x1b[2mTry "edit main.ts"\x1b[0m'));
    expect(hearing.signal()?.composer).toBe('');
    paint(DIALOG);
    expect(hearing.signal()).toMatchObject({ isReady: false, composer: null, dialog: { choices: { length: 2 } } });
  });

  it('are no evidence of work when only something is drawn again', () => {
    const { found, paint, type } = open('claude');
    paint(composer(''), '✳ Claude Code');
    type('go\r');
    paint(composer('go'));
    expect(kinds(found)).toEqual(['busy', 'idle', 'turn']); // the text still stands there
    paint(composer(''));
    expect(kinds(found)).toEqual(['busy', 'idle', 'turn', 'idle']);
  });

  it('are unknown for a program on the alternate screen that nobody knows', () => {
    const { hearing, found, paint, type } = open('vim');
    paint(['~', '~']);
    expect(kinds(found)).toEqual(['busy', 'unknown']);
    expect(hearing.signal()).toBeNull();
    type(':w\r');
    paint(['written', '~']);
    expect(kinds(found)).toEqual(['busy', 'unknown', 'turn', 'busy', 'unknown']);
  });

  it('are unknown as well for one that paints on the main screen, until it goes on with lines', () => {
    const { found, paint, type, print } = open('menu', 'main');
    paint(['Pick one', '> a', '  b']);
    expect(kinds(found)).toEqual(['busy', 'unknown']);
    type('a\r');
    print(`${'a line\r\n'.repeat(60)}`);
    expect(kinds(found)).toEqual(['busy', 'unknown', 'turn', 'busy']);
  });
});
