/** Tests that input is typed completely and in order, even if the terminal accepts only a few bytes at a time. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { INPUT_QUEUE_BYTES } from './contract.js';
import { InputQueue, type InputStep } from './input-queue.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A terminal that accepts these numbers of bytes, one per call, and then everything. */
function createTerminal(takes: number[]) {
  let typed = '';
  const write = (bytes: Buffer) => {
    const count = Math.min(takes.shift() ?? Infinity, bytes.length);
    typed += bytes.subarray(0, count).toString('latin1');
    return count;
  };
  return { queue: new InputQueue({ write }), typed: () => typed };
}
const type = (text: string): InputStep => ({ bytes: Buffer.from(text) });

describe('input queue', () => {
  it('types every job completely and in order, however much the terminal accepts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.oneof(fc.string({ maxLength: 8 }), fc.nat(50)), { maxLength: 4 }), { maxLength: 6 }),
        fc.array(fc.nat(4), { maxLength: 40 }),
        (jobs, takes) => {
          const { queue, typed } = createTerminal(takes);
          const done: string[] = [];
          jobs.forEach((job, i) => {
            const steps = job.map((step) => (typeof step === 'string' ? type(step) : { settleMs: step }));
            queue.push({ steps, done: (isDone) => done.push(`${i} ${isDone}`) });
          });
          vi.runAllTimers();
          const text = jobs.flat().filter((step) => typeof step === 'string');
          expect(typed()).toBe(Buffer.from(text.join('')).toString('latin1'));
          expect(done).toEqual(jobs.map((_, i) => `${i} true`));
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
      tries(100),
    );
  });

  it('proceed ends the pause of the named job only', () => {
    const { queue, typed } = createTerminal([]);
    queue.push({ id: 'one', steps: [type('a'), { settleMs: 100 }, type('b')], done: () => {} });
    queue.push({ id: 'two', steps: [type('c'), { settleMs: 100 }, type('d')], done: () => {} });
    queue.proceed('two');
    expect(typed()).toBe('a');
    queue.proceed('one');
    expect(typed()).toBe('abc');
    queue.proceed('one');
    expect(typed()).toBe('abc');
    queue.proceed('two');
    expect(typed()).toBe('abcd');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits between steps, and types nothing else meanwhile', () => {
    const { queue, typed } = createTerminal([]);
    queue.push({ steps: [type('a'), { settleMs: 100 }, type('b')], done: () => {} });
    queue.push({ steps: [type('c')], done: () => {} });
    queue.nudge();
    vi.advanceTimersByTime(99);
    expect(typed()).toBe('a');
    vi.advanceTimersByTime(1);
    expect(typed()).toBe('abc');
  });

  it('tries again as soon as the program shows activity', () => {
    const { queue, typed } = createTerminal([0, 0, 0, 0, 0, 0, 0]);
    queue.push({ steps: [type('a')], done: () => {} });
    for (let i = 0; i < 7; i++) queue.nudge();
    expect(typed()).toBe('a');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails waiting and later jobs when the session ends', () => {
    const { queue } = createTerminal([1, 0]);
    const done: string[] = [];
    queue.push({ steps: [type('ab')], done: (isDone) => done.push(`first ${isDone}`) });
    queue.push({ steps: [type('c')], done: (isDone) => done.push(`second ${isDone}`) });
    queue.end();
    queue.push({ steps: [type('d')], done: (isDone) => done.push(`third ${isDone}`) });
    expect(done).toEqual(['first false', 'second false', 'third false']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('accepts at most INPUT_QUEUE_BYTES, and then throws ORCHD_INPUT_FULL', () => {
    const { queue } = createTerminal([100, 0]);
    queue.push({ steps: [{ bytes: Buffer.alloc(INPUT_QUEUE_BYTES) }], done: () => {} });
    queue.reserve(100);
    expect(() => queue.reserve(101)).toThrow(expect.objectContaining({ code: 'ORCHD_INPUT_FULL' }));
  });
});
