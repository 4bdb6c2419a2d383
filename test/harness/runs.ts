/**
 * How often a property is tried: as often as its test says, or ORCHD_RUNS times that. What is rare needs more runs than a test may take:
 *
 *     ORCHD_RUNS=100 npx vitest run --config test/vitest.config.ts --testTimeout 0 src/session/hearing.test.ts
 */
export const runs = (times: number): number => times * Number(process.env['ORCHD_RUNS'] ?? 1);
