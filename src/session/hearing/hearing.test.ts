import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { readText, TRANSCRIPT_LOST_MS, TRANSCRIPT_WAIT_MS } from '../../ears/index.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import { hearText } from '../recordings/parse.js';
import { type Hearing, QUIET_MS } from './hearing.js';
import { createHearing } from './session-hearing.js';

/** Output that a terminal may receive: pieces of messages, of sequences, and noise. */
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '```orchestrator-message\r\n',
      '{"type":"STATUS_UPDATE","data":{"progress":1}}\r\n',
      '```\r\n',
      '````\n',
      '~~~\n',
      ':ORCHESTRATOR: TASK COMPLETE\r\n',
      ':ORCHESTRATOR: QUESTION - x ',
      '<output>',
      '{"a":1}\n',
      '---\n',
      '</output>\n',
      '> ',
      '- ',
      '<!--\n',
      '\n',
      '\r\n',
      'text\n',
      '    ',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '\r',
      '\b',
      '\t',
      '\x1b[A',
      '\x1b[2A',
      '\x1b[B',
      '\x1b[K',
      '\x1b[1K',
      '\x1b[2K',
      '\x1b[C',
      '\x1b[70C',
      '\x1b[3D',
      '\x1b[5G',
      '\x1b[2P',
      '\x1b[@',
      '\x1b[4X',
      '\x1b[H',
      '\x1b[2J',
      '\x1b[J',
      '\x1b[1;5r',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1b[?25l',
      '\x1bM',
      '\x1bc',
      '\x1b7',
      '\x1b8',
      '\x1b]133;A\x07',
      '\x1b]0;title\x1b\\',
      '\x1bPq',
      '\x1b\\',
      '\x1b[',
      '\x1b]',
      '\x1b(0',
      '\x1b[1;',
      '\x18',
      '\x07',
      '\x1b]9;look\x07',
      '\x1bD',
      '\x1b[?2026h',
      '\x1b[?2026l',
      '\x1b[\0?2026l',
      '\u009b?2026l',
      '\x1b]0;✳ a title\x07',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('日本', '🚀', 'e\u0301', 'x'.repeat(79), 'y'.repeat(200), '\n'.repeat(49)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const stream = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''), 'utf8')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
type Input = Buffer | 'enter' | 'typed' | 'tick' | 'resize' | 'said' | 'prompt' | 'idle' | 'later';
const SAID =
  '```orchestrator-message\n{"type":"STATUS_UPDATE","data":{"progress":1}}\n```\n:ORCHESTRATOR: TASK COMPLETE';
const journal = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: stream },
    fc.constantFrom<Input>('enter', 'typed', 'tick', 'resize', 'said', 'prompt', 'idle', 'later'),
  ),
  { maxLength: 8 },
);

/** Regression cases: texts whose findings once depended on how they were cut. */
const ONCE: readonly (readonly Input[])[] = [
  // After a full-screen picture, lines and the screen are read in the order of the output …
  ['enter', out(`\x1b[H${'\n'.repeat(50)}${status(1)}\n\x1b[J:ORCHESTRATOR: TASK COMPLETE\n\x1b[?1049h`)],
  ['enter', out(`\x1b[H${'\n'.repeat(50)}${status(1)}\n\x1b[J:ORCHESTRATOR: BLOCKED - y\n\x1b[J`)],
  // … and so are bells and notifications.
  ['enter', out(`\x1b[H\x1b[J${status(1)}\x1b[H\x07`)],
  ['enter', out(`\x1b[H\x1b[J${status(1)}\x1b[H\x1b]9;look\x07`)],
  // Empty rows at the beginning of the output kept for an emulator survive every checkpoint.
  ['enter', out('\n'.repeat(49)), 'enter', out('\x1b[2J'), out(status(1))],
  // After a synchronized update, the screen is read where the update ended.
  ['enter', out(`\x1b[?1049h\x1b[?2026h${status(1)}\x1b[?2026l\x1b[5;1Habc\x1b[3;1H${status(2)}\x1b[H\x1b[2J`)],
  ['enter', out(`\x1b[H\x1b[J\x1b[?2026h${status(1)}\x1b[\0?2026l\n\x1b[H\x1b[J${status(2)}`), 'tick'],
];
function out(text: string): Buffer {
  return Buffer.from(text);
}
function status(progress: number): string {
  return `{"type":"STATUS_UPDATE","data":{"progress":${progress}}}`;
}

/** The state of a hearing after each record. */
type After = (hearing: Hearing) => Hearing;
const goOn: After = (hearing) => hearing;
const restore: After = (hearing) => fromCheckpoint(hearing.state()) ?? hearing; // null while the program paints
const rebase: After = (hearing) => {
  hearing.rebase();
  return hearing;
};
const restoreRebased: After = (hearing) => fromCheckpoint(hearing.rebase()) ?? hearing;
function fromCheckpoint(state: unknown): Hearing | null {
  return state === null ? null : createHearing({ checkpoint: JSON.parse(JSON.stringify(state)) });
}

function hear(inputs: readonly Input[], size: number, after: After): unknown[] {
  const record = createRecorder();
  let hearing = createHearing();
  const found: unknown[] = [];
  const push = (happening: Parameters<typeof record>[0]): void => {
    for (const { at: _at, ...finding } of hearing.push(record(happening))) found.push(finding);
    hearing = after(hearing);
  };
  const note = (...items: object[]): void =>
    push({ kind: 'note', name: 'transcript', data: { items, place: { path: '/t', offset: 1 } } });
  push({ kind: 'start', sessionId: 's', command: [], cwd: '/', pid: 1, cols: 80, rows: 24 });
  let time = 0;
  for (const input of inputs) {
    if (input === 'tick') push({ kind: 'tick', quietMs: QUIET_MS });
    else if (input === 'said') note({ kind: 'text', text: SAID });
    else if (input === 'prompt') note({ kind: 'prompt', text: 'text' });
    else if (input === 'idle') note({ kind: 'idle' });
    else if (input === 'later') {
      time += 1000;
      push({ kind: 'tick', quietMs: 1000, time });
    } else if (input === 'resize') push({ kind: 'resize', cols: 40, rows: 10 });
    else if (input === 'enter')
      push({ kind: 'input', phase: 'keys', writeId: null, text: null, length: 3, submits: true });
    else if (input === 'typed')
      push({ kind: 'input', phase: 'begin', writeId: 'w', text: 'text\r', length: 5, submits: true });
    else for (let at = 0; at < input.length; at += size) push({ kind: 'out', bytes: input.subarray(at, at + size) });
  }
  push({ kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] });
  return found;
}

describe('any output', () => {
  it('gives the same findings however it is split, and from any checkpoint', () => {
    fc.assert(
      fc.property(journal, fc.integer({ min: 1, max: 9 }), (inputs, size) => {
        const whole = hear(inputs, 1 << 20, goOn);
        expect(hear(inputs, 1, goOn)).toEqual(whole);
        expect(hear(inputs, size, restore)).toEqual(whole);
      }),
      { ...tries(300), examples: ONCE.flatMap((inputs) => [1, 3].map((size) => [[...inputs], size])) },
    );
  });

  it('gives the same findings after rebase and from the checkpoint that rebase returns', () => {
    fc.assert(
      fc.property(journal, fc.integer({ min: 1, max: 200 }), (inputs, size) => {
        expect(hear(inputs, size, restoreRebased)).toEqual(hear(inputs, size, rebase));
      }),
      tries(50),
    );
  });

  it('leaves the same state whether its rows are skipped together or read one by one', () => {
    const part = fc.constantFrom(
      'text',
      'a\tb',
      '  ',
      '    ',
      '12',
      '12.',
      '3) ',
      '7',
      '日本',
      '- ',
      '> ',
      '<div>',
      '#',
      '\x1b[1m',
      '\x1b[0m',
      '\x1b[K',
      '\x1b[2K',
      '\x1b(B',
      '\x1b[3A',
      '\r',
      '\r\r',
      '\b',
      '\x07',
      '\x7f',
      '~~~',
      '```',
      '``` ts',
      '```orchestrator-message',
      '{',
      '**b',
      '--',
      '##',
      ':',
      '`',
    );
    const row = fc
      .tuple(fc.array(part, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
      .map(([parts, end]) => [...parts, end]);
    const rows = fc.array(row, { minLength: 1, maxLength: 60 }).map((all) => Buffer.from(all.flat().join('')));
    fc.assert(
      fc.property(rows, (bytes) => {
        const states = [bytes.length, 1, 7].map((size) => {
          const record = createRecorder();
          const hearing = createHearing();
          const found: unknown[] = [];
          for (let at = 0; at < bytes.length; at += size) {
            const findings = hearing.push(record({ kind: 'out', bytes: bytes.subarray(at, at + size) }));
            found.push(...findings.map(({ at: _at, ...finding }) => finding));
          }
          return { found, state: hearing.state() };
        });
        for (const state of states) expect(state).toEqual(states[0]);
      }),
      tries(500),
    );
  });

  it('keeps the state within a limit', () => {
    const record = createRecorder();
    for (const unit of [
      'x',
      '```orchestrator-message\n{"a":\n',
      '<output>\n{\n',
      '<output>\n{}\n---\nx\n',
      '> - ',
      '\x1b]0;',
      '\x1b[',
      '\rx\x1b[K',
      '日\r本',
      '- \n',
      '\x1b[9999C',
    ]) {
      const hearing = createHearing();
      const bytes = Buffer.from(unit.repeat(Math.ceil(8e5 / unit.length)));
      for (let at = 0; at < 2; at++) {
        hearing.push(record({ kind: 'out', bytes }));
        expect(JSON.stringify(hearing.state()).length, JSON.stringify(unit)).toBeLessThan(1.25e6);
      }
    }
  });

  it('keeps a small state at rest', () => {
    const record = createRecorder();
    const hearing = createHearing();
    hearing.push(record({ kind: 'out', bytes: Buffer.from('text\n'.repeat(10_000)) }));
    expect(hearing.isAtRest()).toBe(true);
    expect(JSON.stringify(hearing.state()).length).toBeLessThan(1500);
    hearing.push(record({ kind: 'out', bytes: Buffer.from('te') }));
    expect(hearing.isAtRest()).toBe(false);
  });
});

describe('the transcript', () => {
  const note = (data: object): Happening => ({ kind: 'note', name: 'transcript', data });
  const painted = (text: string): Happening => {
    const frame = `\x1b[?1049h\x1b[?2026h\x1b[2J\x1b[H● ${text}\x1b[?2026l`;
    return { kind: 'out', time: 1000, bytes: Buffer.from(frame) };
  };
  const START: Happening = { kind: 'start', sessionId: 's', command: ['claude'], cwd: '/', pid: 1, cols: 80, rows: 24 };

  it('is awaited until TRANSCRIPT_WAIT_MS have passed, and one tick ends the wait', () => {
    const record = createRecorder();
    const hearing = createHearing();
    const push = (happening: Happening): string[] => hearing.push(record(happening)).map(({ kind }) => kind);
    push(START);
    push(note({ items: [{ kind: 'prompt', text: 'Go on' }], places: null }));
    push(painted('{"type": "QUESTION", "data": {"question": "Which db?"}}'));
    for (let tick = hearing.wantsTick(); tick && tick.quietMs < TRANSCRIPT_WAIT_MS; tick = hearing.wantsTick()) {
      expect(push({ kind: 'tick', time: 1000 + tick.quietMs, quietMs: tick.quietMs })).not.toContain('message');
    }
    expect(hearing.wantsTick()).toEqual({ quietMs: TRANSCRIPT_WAIT_MS });
    expect(hearing.isAtRest()).toBe(false);
    expect(push({ kind: 'tick', time: 2400, quietMs: 1400 })).toEqual([]);
    // The journal's clock is slightly behind the clock that measured the silence.
    expect(push({ kind: 'tick', time: 2499, quietMs: TRANSCRIPT_WAIT_MS })).toEqual(['message']);
    expect(hearing.wantsTick()).toEqual({ quietMs: TRANSCRIPT_LOST_MS });
    expect(push({ kind: 'tick', time: 10_999, quietMs: TRANSCRIPT_LOST_MS })).toEqual(['transcript']);
    expect(hearing.wantsTick()).toBe(null);
  });

  it('that arrives late is read before the elapsed time counts', () => {
    const record = createRecorder();
    const hearing = createHearing();
    const block = '{"type": "QUESTION", "data": {"question": "Which db?"}}';
    hearing.push(record(START));
    hearing.push(record(note({ items: [{ kind: 'prompt', text: 'Go on' }], places: null })));
    hearing.push(record(painted(block)));
    const text = `\`\`\`orchestrator-message\n${block}\n\`\`\``;
    const late = { ...note({ items: [{ kind: 'text', text }], places: null }), time: 60_000 };
    expect(hearing.push(record(late))).toMatchObject([{ kind: 'message', ear: 'transcript', time: 60_000 }]);
  });

  it('with a hook at the end of a turn becomes idle only if the hook names the last prompt', () => {
    const record = createRecorder();
    let hearing = createHearing();
    const rested = (after: string): Happening => note({ items: [{ kind: 'idle', by: 'hook', after }], places: null });
    const push = (happening: Happening): string[] =>
      hearing.push(record(happening)).flatMap((found) => (found.kind === 'activity' ? [found.activity] : []));
    const typed = (text: string, length: number): Happening =>
      ({ kind: 'input', phase: 'begin', writeId: 'w', text, length, submits: true }) as Happening;
    push(START);
    push(typed('\x1b[200~Fix it,\nand test it.\x1b[201~\r', 30));
    push(note({ items: [{ kind: 'prompt', text: 'Fix it,\nand test it.' }], places: null }));
    expect(push(rested('Make a title of it.'))).toEqual([]);
    hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(hearing.state())) });
    expect(push(rested('Fix it,\nand test it.'))).toEqual(['idle']);
    push({ kind: 'input', phase: 'keys', writeId: null, text: null, length: 9, submits: true } as Happening);
    push(note({ items: [{ kind: 'prompt', text: 'And now?' }], places: null }));
    expect(push(rested('Fix it,\nand test it.'))).toEqual([]);
  });

  /** A session of Gemini CLI with its idle screen, and the activities that were found. */
  function geminiStage() {
    const record = createRecorder();
    const hearing = createHearing({ adapter: 'gemini' });
    let time = 0;
    const found: string[] = [];
    const push = (happening: Happening): void => {
      for (const one of hearing.push(record({ ...happening, time })))
        if (one.kind === 'activity') found.push(`${one.activity} ${one.source}`);
    };
    const pass = (forMs: number): void => {
      const begun = time;
      for (let last = 0, tick = hearing.wantsTick(); tick && tick.quietMs > last; tick = hearing.wantsTick()) {
        if (tick.quietMs > forMs) break;
        last = tick.quietMs;
        time = begun + last;
        push({ kind: 'tick', quietMs: last });
      }
      time = begun + forMs;
    };
    const [top, bottom] = ['▄'.repeat(80), '▀'.repeat(80)];
    const rows = [top, ' >   Type your message or @path/to/file', bottom];
    const paint = rows.map((row, y) => `\x1b[${y + 20};1H${row}`).join('');
    push({ kind: 'start', sessionId: 's', command: ['gemini'], cwd: '/', pid: 1, cols: 80, rows: 30 });
    const paintIdle = (words = ''): void =>
      push({ kind: 'out', bytes: Buffer.from(`\x1b]0;◇  Ready (proj)\x07\x1b[2J\x1b[1;1H${words}${paint}`) });
    return { found, push, pass, paintIdle };
  }

  it('with a prompt that is read after the turn leaves no program at work whose screen stays idle', () => {
    const { found, push, pass, paintIdle } = geminiStage();
    paintIdle();
    pass(1000);
    push({ kind: 'input', phase: 'begin', writeId: 'w', text: 'Go on\r', length: 6, submits: true });
    push({ kind: 'input', phase: 'end', writeId: 'w', text: null, length: 6, submits: true } as Happening);
    paintIdle('Done.');
    pass(1000);
    push(note({ items: [{ kind: 'prompt', text: 'Go on' }], places: null }));
    pass(2900);
    expect(found).toEqual(['idle title', 'idle title', 'busy transcript']);
    pass(5000);
    expect(found.slice(3)).toEqual(['idle title']);
  });

  it('with a prompt that is read after a turn whose work was seen reports no further work', () => {
    const { found, push, pass, paintIdle } = geminiStage();
    const prompt = note({ items: [{ kind: 'prompt', text: 'Go on' }], places: null });
    paintIdle();
    pass(1000);
    for (const turn of ['first', 'second']) {
      push({ kind: 'input', phase: 'begin', writeId: turn, text: 'Go on\r', length: 6, submits: true });
      push({ kind: 'input', phase: 'end', writeId: turn, text: null, length: 6, submits: true } as Happening);
      push({ kind: 'out', bytes: Buffer.from('\x1b]0;✦  Working (proj)\x07') });
      if (turn === 'second') push(prompt); // read in time: it is the work that the title shows
      pass(100);
      paintIdle('Done.');
      pass(1000);
      if (turn === 'first') push(prompt);
    }
    expect(found).toEqual(['idle title', 'busy title', 'idle title', 'busy title', 'idle title']);
    // A prompt that no input has begun is work of its own.
    push(note({ items: [{ kind: 'prompt', text: 'Something else' }], places: null }));
    expect(found.slice(5)).toEqual(['busy transcript']);
  });

  it('with a prompt from before the first picture keeps the program at work until it has rested for 3 s', () => {
    const { found, push, pass, paintIdle } = geminiStage();
    push(note({ items: [{ kind: 'prompt', text: 'Go on' }], places: null }));
    paintIdle();
    pass(2900);
    expect(found).toEqual(['busy transcript']);
    pass(5000);
    expect(found.slice(1)).toEqual(['idle title']);
  });

  it('with a prompt that is read late does not end the request of a hook in the same turn', () => {
    const record = createRecorder();
    const hearing = createHearing();
    const push = (happening: Happening): string[] => hearing.push(record(happening)).map(({ kind }) => kind);
    const prompt = (text: string): Happening => note({ items: [{ kind: 'prompt', text }], places: null });
    push(START);
    push({ kind: 'input', phase: 'begin', writeId: 'w', text: 'Go on\r', length: 6, submits: true } as Happening);
    const data = { callId: 'c', text: 'Permission to use Bash', shows: 'make', choices: ['Yes', 'No'] };
    expect(push({ kind: 'note', name: 'hook', data })).toContain('attention');
    expect(push(prompt('Go on'))).not.toContain('attention_over');
    expect(push(prompt('Something else'))).toContain('attention_over');
  });

  it.each([{ kind: 'idle' }, { kind: 'idle', by: 'hook' }])(
    'with the end of an earlier turn that is read late (%j) does not end the request of a hook',
    (idle) => {
      const record = createRecorder();
      const hearing = createHearing();
      const push = (happening: Happening): string[] => hearing.push(record(happening)).map(({ kind }) => kind);
      const items = (...all: object[]): Happening => note({ items: all, places: null });
      push(START);
      push({ kind: 'input', phase: 'begin', writeId: 'w', text: 'Go on\r', length: 6, submits: true } as Happening);
      push(items({ kind: 'prompt', text: 'Go on' }));
      push({ kind: 'input', phase: 'begin', writeId: 'v', text: 'Test it\r', length: 8, submits: true } as Happening);
      const data = { callId: 'c', text: 'Permission to use Bash', shows: 'make', choices: ['Yes', 'No'] };
      expect(push({ kind: 'note', name: 'hook', data })).toContain('attention');
      expect(push(items(idle))).toEqual([]);
      expect(push(items({ kind: 'prompt', text: 'Test it' }))).not.toContain('attention_over');
      expect(push(items(idle))).toContain('attention_over');
    },
  );

  it('with a prompt tells the turn of the input that it repeats, if orchd has typed it', () => {
    const record = createRecorder();
    const hearing = createHearing();
    const push = (happening: Happening) => hearing.push(record(happening)).filter(({ kind }) => kind === 'prompt');
    const prompt = (text: string) => push(note({ items: [{ kind: 'prompt', text }], places: null }));
    push(START);
    for (const writeId of ['v', 'w'])
      push({ kind: 'input', phase: 'begin', writeId, text: 'yes\r', length: 4, submits: true } as Happening);
    expect(prompt('yes')).toMatchObject([{ turn: 1 }]);
    expect(prompt('no')).not.toMatchObject([{ turn: expect.anything() }]);
    expect(prompt(' yes\n')).toMatchObject([{ turn: 2 }]);
  });

  it('with a permission request opens a request, and closes it when it is decided', () => {
    const record = createRecorder();
    const hearing = createHearing();
    const push = (...items: object[]): string[] =>
      hearing.push(record(note({ items, places: null }))).map(({ kind }) => kind);
    hearing.push(record(START));
    expect(push({ kind: 'decided' })).toEqual([]);
    expect(push({ kind: 'attention', text: 'Permission to use Bash' })).toEqual(['attention']);
    expect(push({ kind: 'decided' })).toEqual(['attention_over']);
    expect(push({ kind: 'decided' })).toEqual([]);
  });

  it('with several permission requests opens one after the other as they are decided', () => {
    const record = createRecorder();
    let hearing = createHearing();
    const push = (...items: object[]): string[] =>
      hearing
        .push(record(note({ items, places: null })))
        .map((found) => (found.kind === 'attention' ? found.text : found.kind));
    hearing.push(record(START));
    const ask = (id: string): object => ({ kind: 'attention', text: `May I ${id}?`, id });
    expect(push(ask('a'), ask('b'), ask('c'))).toEqual(['May I a?']);
    hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(hearing.state())) });
    expect(push({ kind: 'decided', id: 'b' }, { kind: 'decided', id: 'never asked' })).toEqual([]);
    expect(push({ kind: 'decided', id: 'a' })).toEqual(['attention_over', 'May I c?']);
    expect(push({ kind: 'decided', id: 'c' })).toEqual(['attention_over']);
    expect(push(ask('d'))).toEqual(['May I d?']);
    // The program continued without reporting the decision. Its next question must still be reported.
    expect(push({ kind: 'prompt', text: 'Go on' })).toContain('attention_over');
    expect(push(ask('e'))).toEqual(['May I e?']);
    // The user chose in the dialog with Enter. That ended the question before the agent reported its decision.
    expect(push(ask('f'))).toEqual([]);
    const enter = { kind: 'input', phase: 'keys', writeId: null, text: null, length: 1, submits: true } as Happening;
    expect(hearing.push(record(enter)).map(({ kind }) => kind)).toContain('attention_over');
    expect(push({ kind: 'decided', id: 'e' })).toEqual(['May I f?']);
  });

  it('cannot set a conversation id that is an option, a path or too long for a command line', () => {
    const record = createRecorder();
    const hearing = createHearing();
    hearing.push(record(START));
    const name = (agentSessionId: string): number =>
      hearing.push(record(note({ items: [{ kind: 'session', agentSessionId, path: null }], places: null }))).length;
    for (const odd of ['--yolo', '-c', '', '../x', 'a b', 'a\n', 'x'.repeat(201)]) expect(name(odd), odd).toBe(0);
    expect(hearing.agentSessionId()).toBe(null);
    expect(name('ses_5f0c-9.2:1')).toBe(1);
  });

  it('has positions and a conversation id that survive a checkpoint', () => {
    const record = createRecorder();
    const hearing = createHearing();
    expect([hearing.transcriptPlaces(), hearing.agentSessionId()]).toEqual([null, null]);
    const place = { path: '/home/user/1.jsonl', offset: 12 };
    hearing.push(record(note({ items: [{ kind: 'session', agentSessionId: '0f3c', path: null }], places: [place] })));
    hearing.push(record(note({ items: [{ kind: 'idle' }], places: null })));
    const restored = createHearing({ checkpoint: JSON.parse(JSON.stringify(hearing.state())) });
    for (const each of [hearing, restored]) {
      expect([each.transcriptPlaces(), each.agentSessionId()]).toEqual([[place], '0f3c']);
    }
  });
});

describe('hearText', () => {
  it('finds the same messages as the grammar, even where rows are skipped as bytes', () => {
    const lines = fc.array(
      fc.oneof(
        piece.map((text) => text.replace(/[\x00-\x08\x0b-\x1f\x7f\r]/g, '').split('\n')[0] ?? ''),
        fc
          .tuple(
            fc.constantFrom('', ' ', '    ', '\t'),
            fc.string({ unit: fc.constantFrom(...'`~<>#-+*_=: 1.2)aÄ{"\\[') }),
          )
          .map((parts) => parts.join('')),
        fc.constantFrom(
          '```orchestrator-message',
          '{}',
          '```',
          ':ORCHESTRATOR: TASK COMPLETE',
          '1. x',
          '   text',
          '    code',
        ),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, (rows) => {
        const text = `${rows.join('\n')}\n`;
        expect(hearText(text).map(({ line }) => line)).toEqual(readText(text).map(({ line }) => line));
      }),
      tries(500),
    );
  });
});

describe('output before any input', () => {
  const BLOCK = '```orchestrator-message\r\n{"type": "STATUS_UPDATE", "data": {"progress": 1}}\r\n```\r\n';
  const START = { kind: 'start', sessionId: 's', cwd: '/', pid: 1, cols: 80, rows: 24 } as const;
  /** Returns how many messages are found in a block when it is printed, and when it is printed again after an Enter. */
  const heard = (command: readonly string[], before = ''): number[] => {
    const record = createRecorder();
    const hearing = createHearing();
    const count = (happening: Happening): number =>
      hearing.push(record(happening)).filter(({ kind }) => kind === 'message').length;
    count({ ...START, command: [...command] });
    const first = count({ kind: 'out', bytes: Buffer.from(before + BLOCK) });
    count({ kind: 'input', phase: 'begin', writeId: null, text: 'Go on.\r', length: 7, submits: true });
    return [first, count({ kind: 'out', bytes: Buffer.from(`Yes.\r\n${BLOCK}`) })];
  };

  const TITLE = '\x1b]0;π - proj\x07';

  it('is old if an agent with a screen resumes or may resume a conversation', () => {
    expect(heard(['pi', '--continue'], TITLE)).toEqual([0, 1]);
    expect(heard(['sh', 'start-agent'], TITLE)).toEqual([0, 1]);
  });

  it('is new otherwise', () => {
    expect(heard(['pi'], TITLE)).toEqual([1, 1]);
    expect(heard(['pi', '--print', '--continue', 'Go on.'])).toEqual([1, 1]);
    expect(heard(['sh'], '\x1b]0;a shell\x07')).toEqual([1, 1]);
  });
});

describe('ticks', () => {
  const partial = (text: string): { quietMs: number } | null => {
    const hearing = createHearing();
    hearing.push(createRecorder()({ kind: 'out', bytes: Buffer.from(text) }));
    return hearing.wantsTick();
  };
  it('are requested if a row at rest could complete a message', () => {
    const wanted = { quietMs: QUIET_MS };
    expect(partial(':ORCHESTRATOR: QUESTION - Which db? ')).toEqual(wanted);
    expect(partial(`:ORCHESTRATOR: QUESTION - ${'x'.repeat(10_000)}`)).toEqual(null);
    expect(partial('```orchestrator-message\n{}\n```')).toEqual(wanted);
    expect(partial('<output>\n{}\n</output>')).toEqual(wanted);
    expect(partial('$ ')).toBe(null);
    expect(partial('```')).toBe(null);
    expect(partial('\x1b[?1049h:ORCHESTRATOR: QUESTION - Which db? ')).toBe(null);
  });
});
