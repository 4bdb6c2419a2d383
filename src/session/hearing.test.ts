import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readText } from '../ears/index.js';
import { createHearing, QUIET_MS } from './hearing.js';
import { createRecorder } from './made-journal.js';
import { hearText } from './parse.js';
import { textIndent } from './prefilter.js';

/** What a terminal may get to see: pieces of messages, of sequences, and noise. */
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
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('日本', '🚀', 'e\u0301', 'x'.repeat(79), 'y'.repeat(200), '\n'.repeat(49)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const stream = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join(''), 'utf8')),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
type Input = Buffer | 'enter' | 'typed' | 'tick' | 'resize';
const journal = fc.array(
  fc.oneof({ weight: 3, arbitrary: stream }, fc.constantFrom<Input>('enter', 'typed', 'tick', 'resize')),
  { maxLength: 8 },
);

function hear(inputs: readonly Input[], size: number, isRestored: boolean): unknown[] {
  const record = createRecorder();
  let hearing = createHearing();
  const found: unknown[] = [];
  const push = (happening: Parameters<typeof record>[0]): void => {
    for (const { at: _at, ...finding } of hearing.push(record(happening))) found.push(finding);
    const state = isRestored ? hearing.state() : null; // null while the program paints
    if (state !== null) hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(state)) });
  };
  push({ kind: 'start', sessionId: 's', command: [], cwd: '/', pid: 1, cols: 80, rows: 24 });
  for (const input of inputs) {
    if (input === 'tick') push({ kind: 'tick', quietMs: QUIET_MS });
    else if (input === 'resize') push({ kind: 'resize', cols: 40, rows: 10 });
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
  it('is heard alike however it is cut, and from any checkpoint', () => {
    fc.assert(
      fc.property(journal, fc.integer({ min: 1, max: 9 }), (inputs, size) => {
        const whole = hear(inputs, 1 << 20, false);
        expect(hear(inputs, 1, false)).toEqual(whole);
        expect(hear(inputs, size, true)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps a bounded state', () => {
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
      for (let at = 0; at < 3; at++) hearing.push(record({ kind: 'out', bytes }));
      expect(JSON.stringify(hearing.state()).length, JSON.stringify(unit)).toBeLessThan(2.5e6);
    }
  });

  it('has a small state at rest', () => {
    const record = createRecorder();
    const hearing = createHearing();
    hearing.push(record({ kind: 'out', bytes: Buffer.from('text\n'.repeat(10_000)) }));
    expect(hearing.isAtRest()).toBe(true);
    expect(JSON.stringify(hearing.state()).length).toBeLessThan(1000);
    hearing.push(record({ kind: 'out', bytes: Buffer.from('te') }));
    expect(hearing.isAtRest()).toBe(false);
  });
});

describe('the byte prefilter', () => {
  it('lets nothing pass that the grammar would have heard', () => {
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
        for (const row of rows) {
          const bytes = Buffer.from(row, 'utf8');
          const indent = textIndent(bytes, 0, bytes.length);
          if (indent !== null && indent >= 0) expect(row.trimStart()).not.toMatch(/^(?:[`~<>#*_=+:-]|\d{1,9}[.)])/);
        }
        expect(hearText(text).map(({ line }) => line)).toEqual(readText(text).map(({ line }) => line));
      }),
      { numRuns: 500 },
    );
  });
});

describe('ticks', () => {
  const partial = (text: string): { quietMs: number } | null => {
    const hearing = createHearing();
    hearing.push(createRecorder()({ kind: 'out', bytes: Buffer.from(text) }));
    return hearing.wantsTick();
  };
  it('are wanted where a row at rest could end something', () => {
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
