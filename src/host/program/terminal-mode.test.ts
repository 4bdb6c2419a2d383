import { closeSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { loadNative } from './native-pty.js';
import { readTerminalMode } from './terminal-mode.js';

afterEach(() => void vi.unstubAllEnvs());

test('reads the mode of a terminal if the PATH lacks the folder of stty', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  const { master, slave, pty } = loadNative().native.open(80, 24);
  try {
    expect(await readTerminalMode(pty)).toMatchObject({ canonical: true, echo: true });
  } finally {
    closeSync(slave);
    closeSync(master);
  }
});
