/** Tests the signals of a screen in cases that no recording contains: a scripted Claude Code, painted row by row. */
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

/** A session whose screen is painted, with the silence that it asks for after each frame. */
function open(
  adapter: string,
  buffer: 'alternate' | 'main' = 'alternate',
): {
  readonly hearing: Hearing;
  readonly found: Finding[];
  paint(rows: readonly string[], title?: string): void;
  type(text: string): void;
  /** Prints lines, followed by the silence. */
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

describe('screen signals', () => {
  it('find a composer in the middle of a tall screen, as before the first turn of OpenCode', () => {
    const { hearing, paint } = open('opencode');
    const composer = ['  ┃', '  ┃  Ask anything…', '  ┃', '  ┃  Build · Mock Model', `  ╹${'▀'.repeat(40)}`];
    paint([...composer, ...Array<string>(17).fill(''), '~/proj  1.18.33']);
    expect(hearing.signal()).toMatchObject({ isReady: true, activity: 'idle', composer: '' });
  });

  it('report a dialog painted over a block once, and the block once', () => {
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

  it('report another dialog in the same place as a new one', () => {
    const { found, paint } = open('claude');
    paint(DIALOG);
    paint(DIALOG.map((row) => row.replace('make', 'make clean')));
    expect(kinds(found)).toEqual(['busy', 'attention', 'attention_over', 'attention']);
    expect(found[2]).toMatchObject({ wasTyped: false });
  });

  it('ignore a list in the words of an agent', () => {
    const { found, paint } = open('claude');
    paint(['● It asks:', ...DIALOG.slice(1), ...composer('')], '✳ Claude Code');
    expect(kinds(found)).toEqual(['busy', 'idle']);
  });

  it('ignore a dialog that is still being painted', () => {
    const { found, paint, rest } = open('claude');
    paint(DIALOG.slice(0, 5));
    expect(kinds(found)).toEqual(['busy']); // one choice is no question
    paint(DIALOG);
    rest();
    expect(kinds(found)).toEqual(['busy', 'attention']);
  });

  it('report whether the agent is ready, and the text in the composer', () => {
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

  it('do not report work if the screen is only repainted', () => {
    const { found, paint, type } = open('claude');
    paint(composer(''), '✳ Claude Code');
    type('go\r');
    paint(composer('go'));
    expect(kinds(found)).toEqual(['busy', 'idle', 'turn']); // the text is still in the composer
    paint(composer(''));
    expect(kinds(found)).toEqual(['busy', 'idle', 'turn', 'idle']);
  });

  it('are unknown for an unknown program on the alternate screen', () => {
    const { hearing, found, paint, type } = open('vim');
    paint(['~', '~']);
    expect(kinds(found)).toEqual(['busy', 'unknown']);
    expect(hearing.signal()).toBeNull();
    type(':w\r');
    paint(['written', '~']);
    expect(kinds(found)).toEqual(['busy', 'unknown', 'turn', 'busy', 'unknown']);
  });

  it('are unknown for a program that paints on the main screen, until it prints lines', () => {
    const { found, paint, type, print } = open('menu', 'main');
    paint(['Pick one', '> a', '  b']);
    expect(kinds(found)).toEqual(['busy', 'unknown']);
    type('a\r');
    print(`${'a line\r\n'.repeat(60)}`);
    expect(kinds(found)).toEqual(['busy', 'unknown', 'turn', 'busy']);
  });
});
