/** Seeded random numbers, and the seed for tests with random cases. */
export interface Random {
  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number;
}

/** Returns the same seed in every run. ORCHD_SEED sets another one; `new` takes it from the clock. */
export function givenSeed(): number {
  const given = process.env['ORCHD_SEED'] ?? '20261121';
  return given === 'new' ? Date.now() % 100_000 : Number(given);
}

/** The mulberry32 algorithm. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}
