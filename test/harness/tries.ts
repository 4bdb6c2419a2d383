/**
 * How a property is tried: as often as its test says, with the same cases at every run, so that whoever runs the tests
 * twice sees the same twice, and a change is judged by what it brought. What is rare is searched for with more cases,
 * and with others:
 *
 *     ORCHD_RUNS=100 ORCHD_SEED=new npx vitest run --config test/vitest.config.ts --testTimeout 0
 *     src/session/hearing.test.ts
 *
 * ORCHD_RUNS multiplies the cases. ORCHD_SEED is a number, or `new` for one of the moment (a failure prints which it
 * was). What such a search finds is mended and kept among the examples of its test.
 */
export function tries(times: number): { numRuns: number; seed?: number } {
  const seed = process.env['ORCHD_SEED'] ?? '20261121';
  const numRuns = times * Number(process.env['ORCHD_RUNS'] ?? 1);
  return seed === 'new' ? { numRuns } : { numRuns, seed: Number(seed) };
}
