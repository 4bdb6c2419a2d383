import { describe, expect, it } from 'vitest';
import { anItem, aSession, aSnapshot, at, events } from '../../../test/tui/data.js';
import { diskWords } from '../../protocol/index.js';
import { EMPTY_MODEL, type Model, type ModelInput, reduce } from '../model/model.js';
import { PLAIN_COMMANDS, plainHelp, readPlainCommand } from './plain-commands.js';
import { createNumbers, newsOf } from './plain-news.js';
import { itemLines } from './plain-words.js';

const question = anItem({
  data: { question: 'Which?\x1b[31m', options: ['JWT', 'OAuth2'], context: 'Some **context**.', default: 'JWT' },
});

/** Returns the lines printed for each step. */
function news(...steps: ModelInput[]): string[][] {
  const numbers = createNumbers();
  let model: Model = EMPTY_MODEL;
  return steps.map((step) => {
    const before = model;
    model = reduce(model, step);
    return newsOf(before, model, numbers);
  });
}
const snapshot = (items = [question]): ModelInput => ({
  kind: 'snapshot',
  snapshot: aSnapshot({ sessions: [aSession()], items }),
  at: at(0),
});
const event = (one: ReturnType<typeof events.state>): ModelInput => ({ kind: 'event', event: one });

describe('the plain mode', () => {
  it('shows its help for a question mark', () => {
    expect(readPlainCommand('?')).toEqual({ kind: 'help' });
  });

  it('reports that the disk is full, and when it has space again', () => {
    const disk = { state: 'full', path: '/home', free_bytes: 0, floor_bytes: 0, paused: 0 } as const;
    const words = diskWords(disk) ?? '';
    const full: ModelInput = { kind: 'health', health: [{ state: 'problem', brief: 'the disk is full', words }] };
    const said = news(snapshot([]), full, full, { kind: 'health', health: [] });
    expect(said.slice(1)).toEqual([
      [expect.stringContaining('The disk of /home is full')],
      [],
      ['The daemon has no more problems.'],
    ]);
  });

  it('reports each waiting item once, with a permanent number', () => {
    const opened = event(events.opened('itm_9', 'ses_a', 'BLOCKED', { reason: 'No access' }));
    const said = news(snapshot(), snapshot(), opened, opened, snapshot([question, anItem({ id: 'itm_9' })]));
    expect(said).toEqual([
      ['1 session, 1 open.', '1: question from auth: Which?‹U+001B›[31m'],
      [],
      ['2: blocked from auth: No access'],
      [],
      [],
    ]);
  });

  it('reports the delivery of an answer, who gave it, and why it stalled', () => {
    const mine = [events.answered('itm_1', 'ses_a', 'JWT', 'tui'), events.written('itm_1', 'ses_a')];
    const stalled = events.stalled('itm_1', 'ses_a', 'not_reading');
    expect(news(snapshot(), ...[...mine, stalled].map(event)).slice(1)).toEqual([
      [],
      ['Item 1 from auth: written · “JWT”.'],
      ['Item 1 from auth: stalled: the program does not read its input yet · “JWT”.'],
    ]);
    expect(news(snapshot(), event(events.withdrawn('itm_1', 'ses_a')))[1]).toEqual([
      'Item 1 from auth: withdrawn: the session has ended.',
    ]);
  });

  it('reports sessions that end, and a daemon that goes away and comes back', () => {
    expect(news(snapshot([]), event(events.exited('ses_a', 'failed', 2)))[1]).toEqual(['Ended: auth: failed.']);
    expect(news(snapshot([]), { kind: 'away', why: 'x' }, snapshot([])).slice(1)).toEqual([
      ['The daemon is away; your sessions go on. orchd waits until it is back.'],
      ['The daemon is there again.', '1 session, nothing waits for you.'],
    ]);
  });

  it('prints an item completely, with the commands to answer it', () => {
    const lines = itemLines(3, { item: question, changedAt: null, withdrawn: null });
    expect(lines.slice(1)).toEqual([
      'Which?‹U+001B›[31m',
      'Some **context**.',
      'Option 1: JWT',
      'Option 2: OAuth2',
      'The agent suggests “JWT”.',
      'To answer: answer 3 1 to answer 3 2, or answer 3 and your text, or decline 3.',
    ]);
    expect(lines[0]).toMatch(/^Item 3, question from auth, asked at \d\d:\d\d:\d\d\.$/);
  });

  it('parses commands, their prefixes, and numbers', () => {
    const read = (line: string) => readPlainCommand(line);
    expect(read(' 3 ')).toEqual({ kind: 'show', item: 3 });
    expect(read('answer 2 two words\\nmore')).toEqual({ kind: 'answer', item: 2, text: 'two words\nmore' });
    expect(read('i')).toEqual({ kind: 'inbox' });
    expect(read('rename a b c')).toEqual({ kind: 'rename', session: 'a', name: 'b c' });
    expect(read('new make "a b"')).toEqual({ kind: 'new', command: 'make "a b"' });
    expect(read('')).toEqual({ kind: 'nothing' });
    expect(read('s')).toEqual({ kind: 'wrong', problem: 's may be show, sessions, screen, steps' });
    expect(read('answer 2')).toEqual({ kind: 'wrong', problem: 'say answer NUMBER TEXT' });
    expect(read('dance')).toEqual({ kind: 'wrong', problem: 'there is no command dance; type help' });
    expect(plainHelp()).toHaveLength(PLAIN_COMMANDS.length);
  });
});
