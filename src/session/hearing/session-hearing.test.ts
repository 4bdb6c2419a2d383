import { describe, expect, test } from 'vitest';
import type { Finding } from '../../ears/index.js';
import { createRecorder, type Happening } from '../recordings/made-journal.js';
import type { Hearing } from './hearing.js';
import { createHearing } from './session-hearing.js';

const start = (...command: string[]): Happening => ({
  kind: 'start',
  sessionId: 'ses_1',
  command,
  cwd: '/',
  pid: 1,
  cols: 80,
  rows: 24,
});
const session: Happening = { kind: 'note', name: 'session', data: { adapter: 'claude', agent: {} } };
const key = (value: string): Happening => ({ kind: 'note', name: 'key', data: { key: value } });
const out = (text: string): Happening => ({ kind: 'out', bytes: Buffer.from(text) });
const entered = (text: string): Happening => ({
  kind: 'input',
  phase: 'begin',
  writeId: `wri_${text}`,
  text: `${text}\r`,
  length: text.length + 1,
  submits: true,
});
const exit: Happening = { kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] };
const ask = (words: string): Happening => out(`:ORCHESTRATOR: QUESTION - ${words}\r\n`);
const TITLE = '\x1b]2;✳ Claude Code\x07';

function hear(happenings: readonly Happening[], hearing: Hearing = createHearing()): Finding[] {
  const record = createRecorder();
  return happenings.flatMap((happening) => [...hearing.push(record(happening))]);
}
const questions = (findings: readonly Finding[]) =>
  findings.flatMap((finding) => (finding.kind === 'message' ? [[finding.message.data['question'], finding.turn]] : []));

describe('a program that is started again', () => {
  test('is read from its new start, and turn numbers go on', () => {
    const heard = hear([
      start('sh'),
      ask('one?'),
      entered('a'),
      ask('two?'),
      exit,
      start('sh'),
      ask('one?'),
      entered('b'),
      ask('two?'),
    ]);
    expect(questions(heard)).toEqual([
      ['one?', 0],
      ['two?', 1],
      ['one?', 1],
      ['two?', 2],
    ]);
  });

  test('inherits no partial row, block or key, and unfinished parts are reported first', () => {
    const block = out('```orchestrator-message\r\n{"type":"QUESTION","data":');
    const heard = hear([start('sh'), key('4f9a21c0'), block, start('sh'), ask('heard?')]);
    expect(heard.map(({ kind }) => kind).filter((kind) => kind !== 'busy')).toEqual(['rejected', 'message']);
    expect(questions(hear([start('sh'), out(':ORCHESTRATOR: QUESTION - half'), start('sh'), ask('heard?')]))).toEqual([
      ['half', 0],
      ['heard?', 0],
    ]);
  });

  test('that is a resumed agent shows its history, which is ignored until the next Enter', () => {
    const again = [start('claude', '--resume', 'abc'), session, out(TITLE), ask('old?')];
    const heard = hear([start('claude'), session, entered('go'), ask('old?'), ...again, entered('go on'), ask('new?')]);
    expect(questions(heard)).toEqual([
      ['old?', 1],
      ['new?', 2],
    ]);
  });

  test('that shows its history late has old messages reported only once', () => {
    const resumed: Happening = { ...session, data: { adapter: 'claude', agent: {}, how: 'conversation' } };
    const again = [start('claude', '--resume', 'abc'), resumed, out(TITLE), entered('go on'), ask('old?'), ask('new?')];
    const heard = hear([start('claude'), session, entered('go'), ask('old?'), ...again, entered('more'), ask('old?')]);
    expect(questions(heard)).toEqual([
      ['old?', 1],
      ['new?', 2],
      ['old?', 3],
    ]);
  });

  test('gives the same findings from a checkpoint as from the start', () => {
    const before = [start('claude'), session, entered('go'), ask('old?'), exit];
    const after = [start('claude', '--resume', 'abc'), session, out(TITLE), ask('old?'), entered('on'), ask('new?')];
    const record = createRecorder();
    const whole = createHearing();
    for (const happening of before) whole.push(record(happening));
    const restored = createHearing({ checkpoint: JSON.parse(JSON.stringify(whole.state())) });
    for (const happening of after) {
      const one = record(happening);
      expect(restored.push(one)).toEqual(whole.push(one));
    }
  });
});

describe('a full-screen program that orchd cannot read', () => {
  const quiet: Happening = { kind: 'tick', quietMs: 400 };
  const prepared = out('\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l');
  const drawn = out('\x1b[2;3H  0[||||||| 12.0%]\x1b[3;3HMem[|||]\x1b[7;1H  PID USER\x1b[8;1H 4711 root');
  const activities = (...happenings: Happening[]) =>
    hear([start('htop'), ...happenings]).flatMap((finding) =>
      finding.kind === 'activity' ? finding.activity : finding.kind === 'busy' ? 'prints' : [],
    );

  test('has an unknown activity after it has drawn, also if it paused before its first text', () => {
    expect(activities(prepared, drawn, quiet)).toEqual(['prints', 'unknown']);
    expect(activities(prepared, quiet, drawn, quiet)).toEqual(['unknown', 'prints', 'unknown']);
  });

  test('is reported once per turn', () => {
    expect(activities(prepared, drawn, quiet, drawn, quiet, drawn, quiet)).toEqual(['prints', 'unknown']);
  });
});
