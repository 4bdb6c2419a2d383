import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    // Real processes and ptys on few cores: a test that waits for an event may wait long, one that is stuck is ended.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // `expect.poll` gives up after a second by itself: no longer than a command takes to start when the machine is
    // busy.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // More than cores: the tests of whole programs wait most of their time.
    maxWorkers: 3,
  },
});
