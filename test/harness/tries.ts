/**
 * The number of tries of a property and their seed. By default every run has the same cases, so that two runs give the
 * same result, and a change is judged only by its effect. To search for rare failures, use more and other cases:
 *
 *     ORCHD_RUNS=100 ORCHD_SEED=new npx vitest run --config test/vitest.config.ts --testTimeout 0
 *     src/session/hearing/hearing.test.ts
 *
 * ORCHD_RUNS multiplies the cases. ORCHD_SEED is a number, or `new` for a seed of the moment (a failure prints it). Fix
 * what such a search finds, and keep the case among the examples of its test.
 */
export function tries(times: number): { numRuns: number; seed?: number } {
  const seed = process.env['ORCHD_SEED'] ?? '20261121';
  const numRuns = times * Number(process.env['ORCHD_RUNS'] ?? 1);
  return seed === 'new' ? { numRuns } : { numRuns, seed: Number(seed) };
}
