import { expect, it } from 'vitest';
import { warmUp } from './warm-up.js';

it('warms up in steps, and comes to an end', () => {
  const step = warmUp();
  let steps = 1;
  while (step()) steps++;
  expect(steps).toBeGreaterThan(1000);
});
