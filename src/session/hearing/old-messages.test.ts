/**
 * Tests messages that are complete when unknown programs, pagers and editors first show them: reported, ignored, or
 * reported as a hint.
 */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { createHearing } from './session-hearing.js';

const BLOCK = ['{"type":"QUESTION","data":{"question":"Which one?"}}'];
const FENCED = ['```orchestrator-message', ...BLOCK, '```'];
const MARKERS = [':ORCHESTRATOR: QUESTION - Which one?', ':ORCHESTRATOR: TASK COMPLETE'];
const ALTERNATE = '\x1b[?1049h\x1b[2J';
const picture = (rows: readonly string[]): string => rows.map((row, y) => `\x1b[${y + 1};1H\x1b[K${row}`).join('');
/** Fills the screen with rows. The cursor is at the end of the last row. */
const filled = (rows: readonly string[], last: string, filler = ''): string =>
  picture([...rows, ...Array<string>(23 - rows.length).fill(filler), last]);

interface Program {
  readonly found: Finding[];
  /** Prints a text after a silence. */
  print(text: string, afterMs?: number): void;
  /** Presses keys as a user does, of which the journal only records if Enter was among them, or as `orchd keys`. */
  press(submits?: boolean, by?: 'person' | 'orchd'): void;
  /** A line that orchd types. */
  send(text: string): void;
  readonly heard: () => string[];
}

function run(command: readonly string[], key?: string): Program {
  const record = createRecorder();
  const hearing = createHearing();
  const found: Finding[] = [];
  let time = 0;
  const push = (happening: Happening): void => {
    found.push(...hearing.push(record({ ...happening, time })));
  };
  const rest = (): void => {
    for (const quietMs of [40, 400, 1_500]) {
      time += quietMs;
      const tick = hearing.wantsTick();
      if (tick && tick.quietMs <= quietMs) push({ kind: 'tick', quietMs });
    }
  };
  push({ kind: 'start', sessionId: 's', command, cwd: '/', pid: 1, cols: 80, rows: 24 });
  if (key !== undefined) push({ kind: 'note', name: 'key', data: { key } });
  return {
    found,
    print(text, afterMs = 100) {
      time += afterMs;
      push({ kind: 'out', bytes: Buffer.from(text) });
      rest();
    },
    press(submits = false, by = 'person') {
      time += 100;
      if (by === 'person') push({ kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits });
      else {
        const key = { kind: 'input', writeId: 'k', text: '\x1b[6~', length: 4, submits } as const;
        push({ ...key, phase: 'begin' });
        push({ ...key, phase: 'end' });
      }
    },
    send(text) {
      const input = { kind: 'input', writeId: 'w', text: `${text}\r`, length: text.length + 1, submits: true } as const;
      push({ ...input, phase: 'begin' });
      push({ ...input, phase: 'end' });
    },
    heard: () =>
      found.flatMap((finding) =>
        finding.kind === 'message' ? [finding.message.type] : finding.kind === 'hint' ? [finding.hint] : [],
      ),
  };
}

describe('an unknown program with a prompt', () => {
  it('has a message below the prompt reported at first sight, without any input', () => {
    const program = run(['sometool', '--auto', 'choose a database for us']);
    program.print(ALTERNATE + picture(['Agent', '> choose a database for us', '', ...BLOCK, '', '> ']));
    expect(program.heard()).toEqual(['QUESTION']);
  });

  it('has only messages below the prompt reported if it resumes an old conversation', () => {
    const program = run(['sometool', '--resume', 'choose a database for us']);
    const old = ['> hello', '{"type":"QUESTION","data":{"question":"Which old one?"}}', '> SQLite'];
    program.print(ALTERNATE + picture([...old, '> choose a database for us', '', ...BLOCK, '', '> ']));
    expect(program.found.filter(({ kind }) => kind === 'message')).toHaveLength(1);
    expect(program.found.find(({ kind }) => kind === 'message')).toMatchObject({
      message: { data: { question: 'Which one?' } },
    });
  });

  it('has a message below the prompt reported if a user starts it in a shell', () => {
    const program = run(['bash']);
    program.print('$ ');
    program.send('sometool "choose a database for us"');
    program.print(ALTERNATE + picture(['Agent', '> choose a database for us', '', ...BLOCK, '', '> ']));
    expect(program.heard()).toEqual(['QUESTION']);
  });
});

describe('an unknown program that shows a complete message before any input', () => {
  it.each([[BLOCK], [MARKERS.slice(0, 1)]])('gets a hint instead of an item: %j', (rows) => {
    const program = run(['sometool']);
    program.print(ALTERNATE + picture(['Agent', '> hello', '', ...rows, '', '> ']));
    expect(program.heard()).toEqual(['old_screen']);
  });

  it('has the message reported if it contains the key of the session', () => {
    const program = run(['sometool'], 'k1');
    program.print(ALTERNATE + picture(['Agent', BLOCK[0]?.replace('{', '{"key":"k1",') ?? '', '', '> ']));
    expect(program.heard()).toEqual(['QUESTION']);
  });

  it('has the message reported if a shell started it a while ago', () => {
    const program = run(['bash']);
    program.print('$ ');
    program.send('sometool');
    program.print(ALTERNATE + picture(['Agent is thinking', '', '> ']));
    program.print(picture(['Agent', '', ...BLOCK, '', '> ']), 5_000);
    expect(program.heard()).toEqual(['QUESTION']);
  });
});

describe('an unknown program that shows the fence of a message', () => {
  it('gets a hint', () => {
    const program = run(['sometool']);
    program.print(ALTERNATE + picture(['Agent', '> ']));
    program.send('choose');
    program.print(picture(['Agent', '> choose', ...FENCED, '> ']));
    program.print(picture(['Agent', '> choose', '', ...FENCED, '> ']));
    expect(program.heard()).toEqual(['fence_shown']);
  });

  it.each([
    ['left of its content', '', '  '],
    ['right of its content', ' ', ''],
  ])('has the message reported if it draws the fence %s: a quotation has both in one column', (_, fence, content) => {
    const program = run(['sometool']);
    program.print(ALTERNATE + picture(['Agent', '> ']));
    program.send('choose');
    const rows = FENCED.map((row) => `${row.startsWith('`') ? fence : content}${row}`);
    program.print(picture(['Agent', '> choose', ...rows, '> ']));
    expect(program.heard()).toEqual(['QUESTION']);
  });

  it('gets a hint for its first screen, but a pager and a known agent get none', () => {
    const first = (command: string, last: string): string[] => {
      const program = run([command]);
      program.print(ALTERNATE + filled(['Agent', '', ...FENCED], last));
      return program.heard();
    };
    expect(first('sometool', '> ')).toEqual(['fence_shown']);
    expect(first('less', ':')).toEqual([]);
    expect(first('codex', '> ')).toEqual([]);
  });

  it('has the message reported with the key of the session, but not with another key', () => {
    const program = run(['sometool'], 'k1');
    program.print(ALTERNATE + picture(['Agent', '> ']));
    program.send('choose');
    const keyed = (key: string): string[] => FENCED.map((row) => row.replace('{"type"', `{"key":"${key}","type"`));
    program.print(picture(['Agent', '> choose', ...keyed('k2'), '> ']));
    program.print(picture(['Agent', '> choose', ...keyed('k2'), ...keyed('k1'), '> ']));
    expect(program.heard()).toEqual(['fence_shown', 'QUESTION']);
  });

  it('gets a hint for a block that it does not show as JSON, once the screen is at rest', () => {
    // The fence in the text has ended the program's own block, and it has begun to number the rows again.
    const rows = [
      '  1 {',
      '  2   "type": "QUESTION",',
      '  3   "data": {',
      '  4     "context": "```ts\\nport = 8080;\\n',
      '  1   }',
    ];
    const heard = (shown: readonly string[]): string[] => {
      const program = run(['sometool']);
      program.print(ALTERNATE + picture(['Agent', '> ']));
      program.send('choose');
      program.print(picture(['Agent', '> choose', ...shown, '> ']));
      const atRest = program.heard();
      program.send('go on');
      program.print(picture(['Agent', '> choose', ...shown, '> go on', '> ']));
      program.send('go on');
      expect(program.heard()).toEqual(atRest);
      return atRest;
    };
    expect(heard([...rows, '  2 }'])).toEqual(['json_damaged']);
    expect(heard(rows)).toEqual([]); // it may still paint the rest
    expect(heard([...rows.map((row) => row.replace('QUESTION', 'SOMETHING')), '  2 }'])).toEqual([]);
  });

  it('gets no hint for examples within other fences', () => {
    const program = run(['sometool']);
    program.print(ALTERNATE + picture(['Agent', '> ']));
    program.send('choose');
    program.print(picture(['Agent', '> choose', '````markdown', ...FENCED, '````', '> ']));
    expect(program.heard()).toEqual([]);
  });
});

describe('a program that clears the screen and prints its whole conversation again', () => {
  it.each([
    { message: 'a marker', rows: MARKERS.slice(0, 1), heard: 'QUESTION' },
    { message: 'a block', rows: BLOCK, heard: 'QUESTION' },
    { message: 'a block in its fence', rows: FENCED, heard: 'fence_shown' },
  ])('has each message reported once: $message', ({ rows, heard }) => {
    const program = run(['sometool']);
    const said = Array.from({ length: 60 }, (_, row) => `row ${row} of the conversation`);
    const paint = (): void =>
      program.print(`\x1b[2J\x1b[3J\x1b[H${said.join('\r\n')}\r\n────\r\n> \r\n────\x1b[1A\x1b[3G`);
    program.print('\x1b[?2004h');
    paint();
    for (const turn of ['begin', 'go on', 'and on']) {
      program.send(turn);
      said.push(`> ${turn}`, '');
      if (turn === 'begin') said.push(...rows);
      for (const row of ['one', 'two', 'three']) {
        said.push(`${turn}: ${row}`);
        paint();
      }
    }
    expect(program.heard()).toEqual([heard]);
  });
});

const LONG = Array.from({ length: 18 }, (_, index) => `row ${index}`);
describe.each([
  ['less', ':', ''],
  ['less at its end', '(END)', ''],
  ['vim', '"notes.md" 12L, 340B                         1,1           All', '~'],
  ['vim while its person types', '-- INSERT --                                 3,4           Top', ''],
  ['nano', '^X Exit      ^R Read File ^\\ Replace   ^U Paste     ^J Justify', ''],
  ['micro', '/tmp/notes.md (68,1) | ft:markdown | unix | utf-8Alt-g: bindings, Ctrl-', ''],
  ['mcview', ' 1Help   2UnWrap 3Quit   4Hex    5Goto   6       7Search 8Raw    9Format10Quit', ''],
  ['mcedit', ' 1Help   2Save   3Mark   4Replac 5Copy   6Move   7Search 8Delete 9PullDn10Quit', ''],
])('%s', (_name, last, filler) => {
  it.each([[BLOCK], [FENCED], [MARKERS]])('shows %j, and no message is reported', (rows) => {
    const program = run(['bash']);
    program.print('$ ');
    program.send('view notes.md');
    program.print(ALTERNATE + filled(LONG, last, filler));
    program.press(); // the user scrolls with a key
    program.print(filled([...LONG.slice(3), ...rows], last, filler));
    program.press(true); // a search ends with Enter
    program.print(filled([...LONG.slice(5), ...rows, 'more'], last, filler), 3_000);
    expect(program.heard()).toEqual([]);
  });

  it('shows a file named on its command line, and no message is reported', () => {
    const program = run(['view', 'notes.md']);
    program.print(ALTERNATE + filled([...MARKERS, ...BLOCK], last, filler));
    program.press(true);
    program.print(filled([...LONG, ...MARKERS, ...BLOCK], last, filler));
    expect(program.heard()).toEqual([]);
  });
});

it('joe shows a file on the normal screen, and no message is reported', () => {
  const program = run(['bash']);
  program.print('$ ');
  program.send('joe notes.md');
  program.print(`\x1b[H\x1b[2J${picture(['    IW   notes.md (md)          Row 14   Col 1', ...LONG])}`);
  program.print(picture(['    IW   notes.md (md)          Row 32   Col 1', ...MARKERS, ...BLOCK]), 5_000);
  program.press(true);
  expect(program.heard()).toEqual([]);
});

it.each(['person', 'orchd'] as const)(
  'output on the alternate screen in reply to a key of %s is not reported',
  (by) => {
    const program = run(['bash']);
    program.print('$ ');
    program.send('browse');
    program.print(ALTERNATE + picture(['notes.md', 'other.md']));
    program.print(picture(['notes.md', 'another.md']), 3_000);
    program.press(false, by);
    program.print(picture(['preview', ...MARKERS]));
    expect(program.heard()).toEqual([]);
  },
);

describe('a message that a person has quoted', () => {
  const quoted = ['~~~', ...FENCED, '~~~'];
  // The sign of the prompt stands before the first fence, so that the second one begins a block.
  const again = ['> ~~~', ...FENCED.map((row) => `  ${row}`), '  ~~~', ''].join('\r\n');
  const long = Array.from({ length: 80 }, (_, at) => `row ${at}`).join('\r\n');

  it('is not heard when a program that paints prints its whole conversation as lines, turns later', () => {
    const program = run(['program']);
    program.print(filled([], '> '));
    program.send(quoted.join('\n'));
    program.print('ok\r\n');
    program.send('go on');
    program.print(`\x1b[2J\x1b[H${long}\r\n${again}${long}\r\n`, 5_000);
    expect(program.heard()).toEqual([]);
  });

  it('is heard when a program that prints lines says it, turns later', () => {
    const program = run(['program']);
    program.print('> ');
    program.send(quoted.join('\n'));
    program.print('ok\r\n> ');
    program.send('go on');
    program.print(`go on\r\n${FENCED.join('\r\n')}\r\n`, 5_000);
    expect(program.heard()).toHaveLength(1);
  });
});

describe('a program that clears the screen and asks again what it asked before', () => {
  const [question = ''] = MARKERS;
  const clear = '\x1b[H\x1b[2J\x1b[3J';
  const begin = (screen: string): Program => {
    const program = run(['bash']);
    program.print('$ ');
    program.send('./menu.sh');
    program.print(`./menu.sh\r\n${screen}`);
    return program;
  };

  it.each([
    ['in the same place', `${clear}== menu ==\r\n${question}\r\n> `, `${clear}== menu ==\r\n${question}\r\n> `],
    ['below other words', `${clear}${question}\r\n`, `${clear}built\r\n${question}\r\n`],
  ])('%s has it reported once, and gives a hint', (_, first, second) => {
    const program = begin(first);
    program.send('build');
    program.print('build\r\nbuilding\r\n');
    expect(program.heard()).toEqual(['QUESTION']);
    program.print(second, 2_000);
    expect(program.heard()).toEqual(['QUESTION', 'old_screen']);
  });

  it.each([
    ['the words of the person below it', `${clear}${question}\r\n> build\r\n\r\n`],
    ['its own words below it', `${clear}${question}\r\n> build\r\nbuilding\r\n> `],
    ['the footer of a chat below it', `${clear}${question}\r\n${'\n'.repeat(8)}\r> \r\n ready`],
  ])('gives no hint if it shows %s', (_, second) => {
    const program = begin(`${clear}${question}\r\n> `);
    program.send('build');
    program.print(`build\r\n${second}`);
    program.print('\x1b[?25h', 3_000);
    expect(program.heard()).toEqual(['QUESTION']);
  });
});
