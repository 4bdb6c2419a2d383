/** The usage of requests in the records of the agents: the real names of the fields, with numbers that differ. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adapterNamed } from './index.js';
import { FEED_VARIABLE } from './launch/launch.js';
import { OPENCODE_PLUGIN, piExtension, readFeed } from './launch/plugins.js';
import { usage } from './usage.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-usage-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

const usageIn = (adapter: string, record: unknown) =>
  adapterNamed(adapter)
    ?.transcript?.read(JSON.stringify(record), false)
    .items.filter(({ kind }) => kind === 'usage');
const wanted = (id: string, input: number, output: number, cached: number, cost: number | null = null) => [
  {
    kind: 'usage',
    id,
    usage: { input_tokens: input, output_tokens: output, cached_input_tokens: cached, cost_usd: cost },
  },
];

test('Claude Code: a reply, also of a sub-agent', () => {
  const reported = { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 };
  const record = { type: 'assistant', message: { id: 'msg_1', content: [], usage: reported } };
  expect(usageIn('claude', record)).toEqual(wanted('msg_1', 123, 7, 100));
  expect(usageIn('claude', { ...record, isSidechain: true })).toEqual(wanted('msg_1', 123, 7, 100));
  expect(usageIn('claude', { ...record, costUSD: 0.5 })).toEqual(wanted('msg_1', 123, 7, 100, 0.5));
  expect(usageIn('claude', { type: 'assistant', message: { model: '<synthetic>', usage: reported } })).toEqual([]);
});

test('Codex: the last request of a token count, identified by the total', () => {
  const last = { input_tokens: 120, cached_input_tokens: 100, output_tokens: 7 };
  const info = { last_token_usage: last, total_token_usage: { total_tokens: 900 } };
  const record = (value: unknown) => ({ type: 'event_msg', payload: { type: 'token_count', info: value } });
  expect(usageIn('codex', record(info))).toEqual(wanted('total 900', 120, 7, 100));
  expect(usageIn('codex', record(null))).toEqual([]); // only the limits of the account
});

test('Gemini CLI: counts thoughts as output, and the prompts of tools as input', () => {
  const tokens = { input: 120, output: 7, cached: 100, thoughts: 30, tool: 4, total: 161 };
  expect(usageIn('gemini', { type: 'gemini', id: 'one', content: 'x', tokens })).toEqual(wanted('one', 124, 37, 100));
});

test('Qwen Code: a reply, also of a sub-agent', () => {
  const reported = { input_tokens: 120, output_tokens: 7, cache_read_input_tokens: 100, total_tokens: 127 };
  const record = { type: 'assistant', message: { id: 'one', content: [], usage: reported } };
  expect(usageIn('qwen', record)).toEqual(wanted('one', 120, 7, 100));
  expect(usageIn('qwen', { ...record, parent_tool_use_id: 'call' })).toEqual(wanted('one', 120, 7, 100));
});

test('Copilot CLI: a usage record, also of a sub-agent, without its cost, which is not money', () => {
  const reported = { inputTokens: 120, outputTokens: 7, cacheReadTokens: 100, cost: 1, apiCallId: 'one' };
  const record = { type: 'session.usage_record', agentId: 'sub', data: { usage: reported } };
  expect(usageIn('copilot', record)).toEqual(wanted('one', 120, 7, 100));
});

test('OpenCode: the plugin writes a reply once it is complete, also of a sub-agent', async () => {
  const [file, feed] = [join(dir, 'opencode.mjs'), join(dir, 'opencode.jsonl')];
  writeFileSync(file, OPENCODE_PLUGIN);
  process.env[FEED_VARIABLE] = feed;
  const { Orchd } = await import(pathToFileURL(file).href);
  delete process.env[FEED_VARIABLE];
  const { event } = await Orchd();
  const tokens = { input: 3, output: 5, reasoning: 2, cache: { read: 100, write: 20 } };
  const info = { id: 'msg_1', role: 'assistant', sessionID: 'child', tokens, cost: 0.25 };
  const emit = (type: string, value: unknown) => event({ event: { type, properties: { info: value } } });
  await emit('session.created', { id: 'child', parentID: 'parent' });
  await emit('message.updated', { ...info, time: { created: 1 } });
  await emit('message.updated', { ...info, time: { created: 1, completed: 2 } });
  expect(itemsIn(feed)).toEqual(wanted('msg_1', 123, 7, 100, 0.25));
});

test('pi: the extension writes the usage of each reply', async () => {
  const [file, feed] = [join(dir, 'pi.mjs'), join(dir, 'pi.jsonl')];
  writeFileSync(file, piExtension(feed));
  const { default: extension } = await import(pathToFileURL(file).href);
  const handlers = new Map<string, (event: unknown) => void>();
  extension({ on: (name: string, handler: (event: unknown) => void) => handlers.set(name, handler) });
  const reported = { input: 3, output: 7, cacheRead: 100, cacheWrite: 20, cost: { total: 0.25 } };
  handlers.get('message_end')?.({ message: { role: 'assistant', content: [], usage: reported } });
  handlers.get('message_end')?.({ message: { role: 'user', content: [] } });
  const [{ id: _none, ...item } = { id: '' }] = wanted('', 123, 7, 100, 0.25);
  expect(itemsIn(feed)).toEqual([item]);
});

const itemsIn = (feed: string) =>
  readFileSync(feed, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => readFeed(line).items);

test('ignores invalid numbers, and returns no item without any valid one', () => {
  const odd = [Number.NaN, -5, '7', 1e300, null, undefined, {}];
  expect(usage('one', { input: odd, output: odd, cached: odd, cost: odd })).toEqual([]);
  expect(usage(7, { input: [...odd, 5], output: [], cached: [] })).toEqual([
    { kind: 'usage', usage: { input_tokens: 5, output_tokens: null, cached_input_tokens: null, cost_usd: null } },
  ]);
  expect(usage('x'.repeat(201), { input: [5], output: [], cached: [] })[0]).not.toHaveProperty('id');
});
