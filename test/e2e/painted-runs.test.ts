/**
 * Tests interactive runs of full-screen programs without an adapter and without a transcript. orchd reads the result
 * from the screen: it is the program's answer, or the run fails with a reason. Typed text is never a result.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

const PROGRAM = join(import.meta.dirname, '../harness/painted-program.mjs');
const PATIENCE_MS = 20_000;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

let places = 0;
async function run(habits: readonly string[], answer: string, fields: Record<string, unknown>): Promise<Run> {
  const cwd = join(String(daemon.env['ORCHD_HOME']), `place-${places++}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'ANSWER'), answer);
  const args = [process.execPath, PROGRAM, ...habits];
  const body = { adapter: 'shell', interactive: true, args, cwd, ...fields };
  const { id } = (await askHttp(daemon.paths.socket, 'POST', '/runs', { body })).body;
  return (await askHttp(daemon.paths.socket, 'GET', `/runs/${id}/wait?timeout_ms=${PATIENCE_MS}`)).body;
}

const PROMPT =
  'Count the files.\n\nAnswer with JSON such as {"files": 0}.\nSay nothing else, and take your time with it, ' +
  'please, because a row of the terminal ends here.';
const LONG = [
  ...Array.from({ length: 60 }, (_, at) => `Line ${at} of the task: look at file ${at}.`),
  'An example is {"files": 0}.',
].join('\n');
const SCHEMA = { type: 'object', required: ['files'], properties: { files: { type: 'integer' } } };

const LAYOUTS = ['', 'boxed', 'alternate', 'alternate boxed'];
const habitsOf = (words: string): string[] => words.split(' ').filter((word) => word !== '');

describe.each(LAYOUTS)('a full-screen program (%s)', (layout) => {
  test.each([
    ['a short prompt', PROMPT],
    ['a prompt that does not fit on the screen', LONG],
  ])('returns its answer to %s when it ends', async (_, prompt) => {
    const [data, text] = await Promise.all([
      run(habitsOf(layout), '{"files": 7}\n', { prompt, output_schema: SCHEMA }),
      run(habitsOf(layout), 'There are seven.\n', { prompt }),
    ]);
    expect(data).toMatchObject({ state: 'completed', result_data: { files: 7 } });
    expect(text).toMatchObject({ state: 'completed', result_text: 'There are seven.' });
  });
});

test.each(['', 'alternate'])(
  'a full-screen program (%s) that reports completion returns its answer',
  async (layout) => {
    const habits = habitsOf(`${layout} stays`);
    const data = await run(habits, '{"files": 7}\n', { prompt: PROMPT, output_schema: SCHEMA });
    expect(data).toMatchObject({ state: 'completed', result_data: { files: 7 } });
  },
);

test.each(LAYOUTS)('the JSON in the prompt is not the result of a full-screen program (%s)', async (layout) => {
  const none = await run(habitsOf(layout), 'no JSON\n', { prompt: PROMPT, output_schema: SCHEMA });
  expect(none).toMatchObject({ state: 'failed', result_data: null });
});

test('a program that shows only a part of its prompt needs a schema to have a result', async () => {
  const [data, text] = await Promise.all([
    run(['short'], '{"files": 7}\n', { prompt: LONG, output_schema: SCHEMA }),
    run(['short'], 'There are seven.\n', { prompt: LONG }),
  ]);
  expect(data).toMatchObject({ state: 'completed', result_data: { files: 7 } });
  expect(text).toMatchObject({ state: 'failed', result_text: null });
  expect(text.error?.message).toContain('a part of the prompt only');
});

test('the prompt is typed only after the program has finished loading', async () => {
  const late = await run(['loads'], 'There are seven.\n', { prompt: PROMPT });
  expect(late).toMatchObject({ state: 'completed', result_text: 'There are seven.' });
});

test('a program that clears its screen at the end has no result', async () => {
  const gone = await run(['alternate', 'leaves'], 'There are seven.\n', { prompt: PROMPT });
  expect(gone).toMatchObject({ state: 'failed', result_text: null, error: { error: expect.stringMatching(/Error$/) } });
});
