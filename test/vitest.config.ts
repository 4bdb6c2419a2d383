import { defineConfig } from 'vitest/config';

// As in the build that users run. Each frame of the TUI takes several times as long with React's checks for developers.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    // Tests run real processes and ptys on few cores. A test that waits for an event may need long; a stuck one is
    // ended.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests call this machine only. Further certificates would cost each of thousands of processes 60 ms of CPU time.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // By default, `expect.poll` gives up after a second. A command may take longer to start on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // A process of its own for each of 450 files would spend as much CPU time on starting and importing as on testing.
    // So a test restores what it changes, and keeps no state in modules for other files.
    isolate: false,
    // More workers than the cores of a small machine, because tests of whole programs wait half of their time.
    maxWorkers: 4,
  },
});
