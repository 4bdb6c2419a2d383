import { expect, it } from 'vitest';
import { warmUp } from './warm-up.js';

it('warms up in many steps and then ends', () => {
  const step = warmUp();
  let steps = 1;
  while (step()) steps++;
  expect(steps).toBeGreaterThan(1000);
});
