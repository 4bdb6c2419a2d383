/** Tests the overlays of an attached session: their rows fit, and their keys have the documented effect. */
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../../test/tui/data.js';
import { createKeyReader } from '../../input/key-reader.js';
import { attachKeys } from '../../keys/attach-keys.js';
import { createPaint } from '../../paint/paint.js';
import { widthOf } from '../../paint/text.js';
import { type AnswerRequest, createAnswer } from './attach-answer.js';
import { createHelp } from './attach-help.js';
import { createStage, type Overlay } from './attach-overlay.js';
import { createPicker } from './attach-picker.js';
import { createPrompt } from './attach-prompt.js';
import { createCopy } from './copy/index.js';

const paint = createPaint({ NO_COLOR: '1' });
const SIZES = [
  { cols: 80, rows: 23 },
  { cols: 200, rows: 49 },
  { cols: 30, rows: 6 },
];
const plain = (row: string): string => row.replaceAll(/\x1b\[[0-9;]*m/g, '');
const shown = (overlay: Overlay, size = { cols: 60, rows: 12 }): string => overlay.rows(size).map(plain).join('\n');

function press(overlay: Overlay, text: string): void {
  const reader = createKeyReader();
  for (const key of [...reader.push(Buffer.from(text)), ...reader.flush()]) overlay.press(key);
}

function expectFits(overlay: Overlay): void {
  for (const size of SIZES) {
    const rows = overlay.rows(size);
    expect(rows.length).toBeLessThanOrEqual(size.rows);
    for (const row of rows) expect(widthOf(plain(row)), plain(row)).toBe(size.cols);
  }
}

function openAnswer(item = anItem({ data: { question: 'Which?', options: ['JWT', 'OAuth2 漢字'] } }), draft = '') {
  const sent: AnswerRequest[] = [];
  let kept = draft;
  const closed: (string | undefined)[] = [];
  let now = 1_000;
  let failure: string | null = null;
  const overlay = createAnswer({
    paint,
    item,
    now: () => now,
    draft,
    keep: (text) => {
      kept = text;
    },
    redraw: () => {},
    close: (notice) => closed.push(notice),
    send: async (request) => {
      sent.push(request);
      return failure;
    },
  });
  return {
    overlay,
    sent,
    closed,
    kept: () => kept,
    see: () => {
      now += 500;
    },
    failWith: (problem: string) => {
      failure = problem;
    },
  };
}

const settled = () => new Promise(setImmediate);

describe('the answer overlay', () => {
  it('fits every size with long texts and many options', () => {
    const options = Array.from(
      { length: 14 },
      (_, i) => `option ${i} 漢字 with a long text that has to be cut somewhere`,
    );
    const question = 'Why? '.repeat(400);
    expectFits(openAnswer(anItem({ data: { question, options, context: question, default: 'yes' } })).overlay);
    const { overlay, see } = openAnswer(anItem({ data: { question } }));
    see();
    press(overlay, '漢字'.repeat(200));
    expectFits(overlay);
  });

  it('sends the option of a digit and reports it', async () => {
    const { overlay, see, sent, closed } = openAnswer();
    see();
    press(overlay, '2');
    await settled();
    expect(sent).toEqual([{ option: 2 }]);
    expect(closed).toEqual(['answered auth']);
  });

  it('ignores keys typed before it was visible', () => {
    const { overlay, sent } = openAnswer();
    press(overlay, '2');
    expect(sent).toEqual([]);
  });

  it('sends a text that is not empty, and Escape goes back and then closes', async () => {
    const { overlay, see, sent, closed } = openAnswer();
    see();
    press(overlay, '\r');
    press(overlay, '\r');
    expect(shown(overlay)).toContain('an empty answer is not sent');
    press(overlay, 'yes, all of them 2');
    press(overlay, '\x1b');
    press(overlay, 'a');
    press(overlay, '!\r');
    await settled();
    expect(sent).toEqual([{ text: 'yes, all of them 2!' }]);
    expect(closed).toHaveLength(1);
    const other = openAnswer();
    press(other.overlay, '\x1b');
    expect(other.closed).toEqual([undefined]);
  });

  it('takes a text at once, but only Enter after it was visible sends it', async () => {
    const { overlay, see, sent, kept } = openAnswer(anItem());
    press(overlay, 'red\r');
    expect(sent).toEqual([]);
    expect(shown(overlay)).toContain('red');
    expect(kept()).toBe('red');
    see();
    press(overlay, '\r');
    await settled();
    expect(sent).toEqual([{ text: 'red' }]);
    expect(kept()).toBe('');
  });

  it('is left with Ctrl-C, keeps the text, and goes on with it', () => {
    const first = openAnswer(anItem());
    first.see();
    press(first.overlay, 'one\x1b\rtwo');
    press(first.overlay, '\x03');
    expect(first.closed).toEqual([undefined]);
    const next = openAnswer(anItem(), first.kept());
    expectFits(next.overlay);
    expect(shown(next.overlay)).toMatch(/one[^\n]*\n[^\n]*two/);
    const options = openAnswer(undefined, 'begun');
    options.see();
    expect(shown(options.overlay)).toContain('goes on with your draft');
    press(options.overlay, '\r\x03');
    expect(options.closed).toEqual([undefined]);
    expect(options.kept()).toBe('begun');
  });

  it('keeps the text and shows the reason if sending fails', async () => {
    const { overlay, see, closed, failWith } = openAnswer(anItem());
    see();
    failWith('too late: it is closed');
    press(overlay, 'mine\r');
    await settled();
    expect(shown(overlay)).toMatch(/too late: it is closed[\s\S]*mine/);
    expect(closed).toEqual([]);
  });
});

describe('declining in the answer overlay', () => {
  const asked = (data: object) => openAnswer(anItem({ data: { question: 'Which?', ...data } }));

  it('asks for confirmation, and then reports it', async () => {
    const { overlay, see, sent, closed } = asked({ options: ['JWT'] });
    see();
    press(overlay, 'x');
    expect(shown(overlay)).toContain('Decline it?');
    expectFits(overlay);
    press(overlay, 'n');
    expect(shown(overlay)).not.toContain('Decline it?');
    press(overlay, 'xy');
    await settled();
    expect(sent).toEqual([{ decline: true }]);
    expect(closed).toEqual(['declined auth']);
  });

  it('needs Escape first while a text is being typed', () => {
    const { overlay, see, closed } = asked({});
    see();
    press(overlay, 'x');
    expect(shown(overlay)).not.toContain('Decline it?');
    press(overlay, '\x1b');
    press(overlay, 'x');
    expect(shown(overlay)).toContain('Decline it?');
    expect(closed).toEqual([]);
  });

  it('ignores keys typed before the overlay was visible', () => {
    const { overlay, sent } = asked({ options: ['JWT'] });
    press(overlay, 'xy');
    expect(sent).toEqual([]);
  });
});

it('the answer overlay shows the context of a question as markdown', () => {
  const { overlay } = openAnswer(anItem({ data: { question: 'Which?', context: 'This is **no** test:\n\n* one' } }));
  expect(shown(overlay)).toMatch(/This is no test:[\s\S]*• one/);
});

describe('the copy overlay', () => {
  const rows = Array.from({ length: 100 }, (_, i) => `\x1b[0;32mrow ${i + 1}\x1b[0m 漢字`);
  function openCopy() {
    const copied: string[] = [];
    let isClosed = false;
    const copy = (text: string): string => `${copied.push(text)} copied`;
    const close = (): void => {
      isClosed = true;
    };
    const overlay = createCopy({ paint, rows, copy, redraw: () => {}, close });
    shown(overlay); // sets its height
    return { overlay, copied, isClosed: () => isClosed };
  }

  it('starts at the end of the screen, and fits every size', () => {
    const { overlay } = openCopy();
    expect(shown(overlay)).toMatch(/^row 90 [\s\S]*row 100 /);
    expectFits(overlay);
  });

  it('moves by rows and pages within the text', () => {
    const { overlay } = openCopy();
    press(overlay, 'g');
    expect(shown(overlay)).toMatch(/^row 1 /);
    press(overlay, '\x1b[6~');
    expect(shown(overlay)).toMatch(/ 12 of 100 $/);
    press(overlay, 'kk\x1b[5~\x1b[5~');
    expect(shown(overlay)).toMatch(/ 1 of 100 $/);
    press(overlay, 'Gjj');
    expect(shown(overlay)).toMatch(/ 100 of 100 $/);
    press(overlay, '\x1b[5~');
    expect(shown(overlay)).toMatch(/^row 79 [\s\S]*row 89 /);
  });

  it('searches in both directions, wraps around, and reports if nothing is found', () => {
    const { overlay } = openCopy();
    press(overlay, '?row 5\r');
    expect(shown(overlay)).toMatch(/ 59 of 100 $/);
    press(overlay, 'n');
    expect(shown(overlay)).toMatch(/ 58 of 100 $/);
    press(overlay, 'N');
    expect(shown(overlay)).toMatch(/ 59 of 100 $/);
    press(overlay, '/Row\r');
    expect(shown(overlay)).toContain('“Row” is nowhere here');
    press(overlay, '/100\r/ROW\x1b');
    expect(shown(overlay)).toMatch(/ 100 of 100 $/);
  });

  it('copies the current line or the marked lines as plain text', () => {
    const { overlay, copied, isClosed } = openCopy();
    press(overlay, 'y');
    press(overlay, 'vkky');
    expect(copied).toEqual(['row 100 漢字', 'row 98 漢字\nrow 99 漢字\nrow 100 漢字']);
    expect(shown(overlay)).toContain('2 copied');
    press(overlay, 'vq');
    expect(isClosed()).toBe(false);
    press(overlay, 'q');
    expect(isClosed()).toBe(true);
  });
});

it('the help overlay fits every size, and closes on any key', () => {
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
  };
  const overlay = createHelp(paint, 'Ctrl-]', attachKeys('C-]', {}), { redraw: () => {}, close });
  expectFits(overlay);
  press(overlay, 'x');
  expect(isClosed).toBe(true);
});

describe('the picker', () => {
  it('selects the best match of the typed filter, also if the selected entry matches by other words', () => {
    const chosen: string[] = [];
    const entry = (id: string, words: string) => ({ id, words, key: '', name: id, note: '' });
    const entries = [entry('sh1', 'bash'), entry('ask', 'sh')];
    const overlay = createPicker({
      paint,
      title: 'Sessions',
      entries: () => entries,
      at: 'sh1',
      choose: (id) => chosen.push(id),
      redraw: () => {},
      close: () => {},
    });
    press(overlay, 'as\r');
    expect(chosen).toEqual(['ask']);
  });
});

describe('the keys after the one that closes an overlay', () => {
  function stageOf(keys: string) {
    const pressed: unknown[] = [];
    const overlay: Overlay = {
      rows: () => [],
      press(key) {
        pressed.push(key);
        if (key.kind === 'named' && key.name === 'escape') stage.end();
      },
    };
    const stage = createStage({ overlay, size: () => ({ cols: 80, rows: 24 }), write: () => {} });
    const rest = stage.push(Buffer.from(keys)).toString();
    stage.end();
    return { pressed, rest };
  }

  it.each([
    ['x\x1b\x02"', '\x02"'],
    ['\x1b\x1b[A', '\x1b[A'],
    ['\x1bqé', 'qé'],
    ['\x1b[A', ''],
  ])('of %j are %j', (keys, rest) => {
    expect(stageOf(keys).rest).toBe(rest);
  });

  it('do not include Alt with a key that edits a text', () => {
    expect(stageOf('\x1bbx').pressed).toEqual([
      { kind: 'alt', text: 'b' },
      { kind: 'char', text: 'x' },
    ]);
  });
});

describe('the prompt for a program', () => {
  const open = () => {
    const submitted: string[] = [];
    const submit = (text: string): void => void submitted.push(text);
    const about = { paint, title: 'Program', fallback: '/bin/bash', submit, redraw: () => {}, close: () => {} };
    return { overlay: createPrompt(about), submitted };
  };

  it('shows the shell until something is typed, and Enter starts it', () => {
    const { overlay, submitted } = open();
    expect(shown(overlay)).toContain('/bin/bash');
    expectFits(overlay);
    press(overlay, '\r');
    expect(submitted).toEqual(['/bin/bash']);
  });

  it('starts what was typed instead', () => {
    const { overlay, submitted } = open();
    press(overlay, 'vim');
    expect(shown(overlay)).not.toContain('/bin/bash');
    expectFits(overlay);
    press(overlay, '\r');
    expect(submitted).toEqual(['vim']);
  });
});
