/** The judge in its own thread. */
import { afterEach, expect, it } from 'vitest';
import { createJudge, type Judge } from './judge.js';

let judge: Judge;
afterEach(() => judge.close());

/** The time to match `a…ab` against this pattern doubles with each letter. */
const ENDLESS = { type: 'string', pattern: '^(a+)+$' };
const LONG = `${'a'.repeat(60)}b`;

it('judges schemas, values and texts', async () => {
  judge = createJudge();
  const schema = { type: 'object', required: ['a'] };
  expect(await judge.checkSchema({ type: 'objct' })).toContainEqual({ path: '$.type', message: expect.any(String) });
  expect(await judge.checkSchema(schema)).toEqual([]);
  expect(await judge.judgeValue({ a: 1 }, schema)).toEqual({ ok: true, value: { a: 1 } });
  expect(await judge.judgeText('so: {"a": 2}', schema)).toEqual({ ok: true, value: { a: 2 } });
  expect(await judge.judgeText('none', schema)).toMatchObject({ ok: false, errors: [{ path: '$' }] });
});

it('a pattern that would take for ever fails alone; what waited behind it is judged', async () => {
  judge = createJudge({ limitMs: 1_000 });
  const verdicts = await Promise.all([
    judge.judgeValue(LONG, ENDLESS),
    judge.judgeValue(LONG, { type: 'string' }),
    judge.judgeValue(1, { type: 'string' }),
  ]);
  expect(verdicts).toMatchObject([
    { ok: false, errors: [{ path: '$', message: expect.stringContaining('takes longer than 1 s') }] },
    { ok: true },
    { ok: false, errors: [{ message: "1 is not of type 'string'" }] },
  ]);
});
