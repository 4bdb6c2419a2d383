/** Tests the check of results in its worker thread. */
import { afterEach, expect, it } from 'vitest';
import { ResultChecker } from './result-checker.js';

let checker: ResultChecker;
afterEach(() => checker.close());

/** The time to match `a…ab` against this pattern doubles with each letter. */
const ENDLESS = { type: 'string', pattern: '^(a+)+$' };
const LONG = `${'a'.repeat(60)}b`;

it('checks schemas, values and texts', async () => {
  checker = new ResultChecker();
  const schema = { type: 'object', required: ['a'] };
  expect(await checker.checkSchema({ type: 'objct' })).toContainEqual({ path: '$.type', message: expect.any(String) });
  expect(await checker.checkSchema(schema)).toEqual([]);
  expect(await checker.checkValue({ a: 1 }, schema)).toEqual({ ok: true, value: { a: 1 } });
  expect(await checker.checkText('so: {"a": 2}', schema)).toEqual({ ok: true, value: { a: 2 } });
  expect(await checker.checkText('none', schema)).toMatchObject({ ok: false, errors: [{ path: '$' }] });
});

it('times out on a pattern that never finishes, and then checks the waiting values', async () => {
  checker = new ResultChecker(1_000);
  const verdicts = await Promise.all([
    checker.checkValue(LONG, ENDLESS),
    checker.checkValue(LONG, { type: 'string' }),
    checker.checkValue(1, { type: 'string' }),
  ]);
  expect(verdicts).toMatchObject([
    { ok: false, errors: [{ path: '$', message: expect.stringContaining('takes longer than 1 s') }] },
    { ok: true },
    { ok: false, errors: [{ message: "1 is not of type 'string'" }] },
  ]);
});

it('checks other values before those with a schema that took too long', async () => {
  checker = new ResultChecker(300);
  const order: string[] = [];
  const check = (name: string, schema: object): Promise<unknown> =>
    checker.checkValue(LONG, schema).then(() => order.push(name));
  await Promise.all([
    check('endless 1', ENDLESS),
    check('endless 2', ENDLESS),
    check('quick 1', { type: 'string' }),
    check('quick 2', { type: 'number' }),
  ]);
  expect(order).toEqual(['endless 1', 'quick 1', 'quick 2', 'endless 2']);
});
