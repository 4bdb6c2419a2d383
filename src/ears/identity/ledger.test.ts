import { describe, expect, it } from 'vitest';
import type { Ear } from '../../protocol/index.js';
import { MAX_ECHO_KEYS, MAX_IDS } from '../bounds.js';
import { readText, type Utterance } from '../grammar/grammar.js';
import { echoKeys } from './echo.js';
import { Ledger, type Verdict } from './ledger.js';

const block = (value: unknown): string => `\`\`\`orchestrator-message\n${JSON.stringify(value)}\n\`\`\`\n`;
const question = (text: string, more: object = {}): string =>
  block({ type: 'QUESTION', data: { question: text }, ...more });
/** Judges an utterance and reports it. */
const hearOne = (ledger: Ledger, utterance: Utterance, ear: Ear): Verdict | null => {
  const judged = ledger.judge(utterance, ear);
  return judged && ledger.tell(judged);
};
const hear = (ledger: Ledger, text: string): Verdict[] =>
  readText(text).flatMap((utterance) => hearOne(ledger, utterance, 'lines') ?? []);
const said = (ledger: Ledger, text: string): string[] =>
  hear(ledger, text).map((verdict) =>
    verdict.kind === 'message' ? `${verdict.message.type} ${verdict.ordinal}` : verdict.reason,
  );

describe('message identity', () => {
  it('numbers the messages of a turn, also equal ones', () => {
    const ledger = new Ledger();
    expect(said(ledger, question('a') + question('a') + block([]) + question('b'))).toEqual([
      'QUESTION 1',
      'QUESTION 2',
      'schema',
      'QUESTION 3',
    ]);
    ledger.beginTurn();
    expect(said(ledger, question('a'))).toEqual(['QUESTION 1']);
  });
  it('uses the id across turns, whatever the order of keys, and ignores ids of rejected messages', () => {
    const ledger = new Ledger();
    expect(said(ledger, question('', { id: 'x' }) + question('a', { id: 'x' }))).toEqual(['schema', 'QUESTION 1']);
    ledger.beginTurn();
    expect(said(ledger, block({ id: 'x', data: { question: 'a' }, type: 'QUESTION', more: 1 }))).toEqual([]);
    expect(said(ledger, question('b', { id: 'x' }))).toEqual(['id_reused']);
  });
  it('drops the oldest of more than MAX_IDS ids', () => {
    const ledger = new Ledger();
    for (let at = 0; at <= MAX_IDS; at++) hear(ledger, question('a', { id: String(at) }));
    expect(said(ledger, question('b', { id: '1' }))).toEqual(['id_reused']);
    expect(said(ledger, question('b', { id: '0' }))).toHaveLength(1);
    expect(JSON.stringify(ledger.state()).length).toBeLessThan(400_000);
  });
});

describe('echo', () => {
  it('ignores copies of typed text, however they are wrapped, for the current and the next turn', () => {
    const ledger = new Ledger();
    ledger.excuse(echoKeys(question('a b')));
    expect(said(ledger, question('a b').replace('a b', 'a  b'))).toEqual([]);
    expect(said(ledger, question('ab'))).toEqual([]); // a consequence of ignoring wraps
    expect(said(ledger, question('c'))).toEqual(['QUESTION 1']);
    ledger.beginTurn();
    expect(said(ledger, question('a b') + question('a b'))).toEqual([]);
    ledger.beginTurn();
    expect(said(ledger, question('a b'))).toEqual(['QUESTION 1']);
  });
  it('ignores only the typed form, also of invalid messages', () => {
    const ledger = new Ledger();
    ledger.typed('\x1b[200~```orchestrator-message\r{ ... }\r```\x1b[201~\r');
    expect(said(ledger, '```orchestrator-message\n{ ... }\n```\n')).toEqual([]);
    expect(said(ledger, '<output>\n{ ... }\n</output>\n')).toEqual(['json']);
  });
  it('finds a block that was typed in pieces', () => {
    const ledger = new Ledger();
    for (const char of question('a').replaceAll('\n', '\r')) ledger.typed(char);
    ledger.beginTurn();
    expect(said(ledger, question('a'))).toEqual([]);
  });
  it('searches deeply nested or unclosed text in bounded time', () => {
    const nested = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(echoKeys(nested)).toEqual([]);
    expect(echoKeys(`{" ${'{"a": "b"} '.repeat(200_000)}`)).toEqual([]);
    // The block, its object, and the beginning of the object.
    expect(echoKeys(`${'{" '.repeat(100)}\n${question('a')}`)).toHaveLength(3);
  });
  it('keeps a limited number of keys', () => {
    const ledger = new Ledger();
    ledger.excuse(Array.from({ length: MAX_ECHO_KEYS + 10 }, (_, at) => `key ${at}`));
    expect((ledger.state() as { echo: string[] }).echo).toHaveLength(MAX_ECHO_KEYS);
  });
});

describe('a required key', () => {
  it('is removed before validation and never shown', () => {
    const ledger = new Ledger();
    ledger.requireKey('k3y');
    const [message] = hear(ledger, question('a', { key: 'k3y' }));
    expect(message).toMatchObject({ kind: 'message', message: { type: 'QUESTION' } });
    expect(JSON.stringify(message)).not.toContain('k3y');
    const [rejected] = hear(ledger, block({ type: 'QUESTION', data: {}, key: 'k3y' }));
    expect(rejected).toMatchObject({ reason: 'schema' });
    expect(JSON.stringify(rejected)).not.toContain('k3y');
  });
  it('must be a top-level string that is exactly equal', () => {
    const ledger = new Ledger();
    ledger.requireKey('1');
    for (const key of [1, ['1'], { key: '1' }, '1 ', null])
      expect(said(ledger, question('a', { key }))).toEqual(['unauthenticated']);
    expect(said(ledger, block({ type: 'QUESTION', data: { question: 'a', key: '1' } }))).toEqual(['unauthenticated']);
    ledger.requireKey(null);
    expect(said(ledger, question('a'))).toEqual(['QUESTION 1']);
  });
});

it('continues from a checkpoint', () => {
  const ledger = new Ledger();
  ledger.requireKey('k');
  ledger.typed(question('a', { key: 'k' }));
  hear(ledger, question('x', { key: 'k', id: 'i' }));
  const restored = new Ledger(JSON.parse(JSON.stringify(ledger.state())));
  for (const each of [ledger, restored]) {
    expect(
      said(each, question('a', { key: 'k' }) + question('y', { key: 'k' }) + question('z', { key: 'k', id: 'i' })),
    ).toEqual(['QUESTION 2', 'id_reused']);
  }
});

describe('several sources', () => {
  const block = (status: string): Utterance => ({
    form: 'fence',
    text: JSON.stringify({ type: 'QUESTION', data: { question: status } }),
    from: 0,
    to: 1,
    line: 1,
  });
  it('report a message as often as the one that found it most often', () => {
    const ledger = new Ledger();
    ledger.beginTurn();
    expect(hearOne(ledger, block('a b'), 'lines')).toMatchObject({ kind: 'message', ordinal: 1 });
    expect(hearOne(ledger, block('ab'), 'screen')).toBe(null);
    expect(hearOne(ledger, block('a b'), 'screen')).toMatchObject({ kind: 'message', ordinal: 2 });
    expect(hearOne(ledger, block('a b'), 'lines')).toBe(null);
    ledger.beginTurn();
    expect(hearOne(ledger, block('a b'), 'screen')).toMatchObject({ kind: 'message', ordinal: 1 });
  });
  it('continue from a checkpoint', () => {
    const ledger = new Ledger();
    hearOne(ledger, block('a'), 'screen');
    expect(hearOne(new Ledger(JSON.parse(JSON.stringify(ledger.state()))), block('a'), 'lines')).toBe(null);
  });
  it('ignore a prompt on the screen, even without its fence', () => {
    const ledger = new Ledger();
    ledger.typed('Print {"type": "QUESTION", "data": {"question": "a b"}} now');
    expect(hearOne(ledger, block('ab'), 'screen')).toBe(null);
    expect(hearOne(ledger, block('a b'), 'lines')).toMatchObject({ kind: 'message' });
  });
});
