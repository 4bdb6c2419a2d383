/** Random numbers that a seed repeats; and the seed of the tests that try what happens at random. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
}

/** The same at every run; ORCHD_SEED is another, or `new` for one of the moment. */
export function givenSeed(): number {
  const given = process.env['ORCHD_SEED'] ?? '20261121';
  return given === 'new' ? Date.now() % 100_000 : Number(given);
}

/** mulberry32. */
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
