/** Tests that a daemon without a hub loads nothing of it: neither src/hub nor the packages of NATS. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';

/** Writes the URL of each bundle that is loaded into a file. */
const REGISTER = `import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
const { Script } = vm;
vm.Script = class extends Script {
  constructor(source, options) {
    super(source, options);
    appendFileSync(process.env.LOADED_MODULES, pathToFileURL(options.filename) + '\\n');
  }
};`;
/** In every chunk of dist with src/hub (names.ts), or with the client of NATS. */
const OF_HUB = /orchd_mail|NatsConnection|nats-core|nkeys/;

/** Ends the daemon and starts it again as it was, with the hooks. */
async function startAgain(daemon: TestDaemon, folder: string, file: string): Promise<ChildProcess> {
  const { pid } = (await daemon.client.call('daemon.status', {})).daemon;
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter((line) => line.includes('='));
  const env = Object.fromEntries(variables.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]));
  await daemon.crash();
  return spawn(program, ['--import', join(folder, 'register.mjs'), ...args], {
    env: { ...env, LOADED_MODULES: file },
    stdio: 'ignore',
  });
}

test.skipIf(process.platform !== 'linux')(
  'a daemon without a hub loads nothing of it, and one that joins does',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orchd-loaded-'));
    const file = join(folder, 'loaded');
    writeFileSync(file, '');
    writeFileSync(join(folder, 'register.mjs'), REGISTER);
    const daemon = await startDaemon({ env: { ORCHD_HUB_LABELS: 'gpu' } });
    const hooked = await startAgain(daemon, folder, file);
    const loaded = () => {
      const urls = [...new Set(readFileSync(file, 'utf8').split('\n'))].filter((url) => url.startsWith('file:'));
      const ofHub = urls.filter((url) => OF_HUB.test(readFileSync(fileURLToPath(url), 'utf8')));
      return { count: urls.length, ofHub };
    };
    try {
      await expect.poll(() => daemon.orchd('status').then(({ code }) => code), { timeout: 20_000 }).toBe(0);
      const item = await daemon.openItem(await daemon.sh('echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r x'));
      await daemon.json('answer', item.id, 'blue');
      for (const command of ['ls', 'inbox', 'events', 'doctor', 'hub status', 'hub keys', 'hub commands']) {
        await daemon.orchd(...command.split(' '));
      }
      expect(loaded().count).toBeGreaterThan(3);
      expect(loaded().ofHub).toEqual([]);
      await daemon.orchd('hub', 'join', 'nats://127.0.0.1:1', '--name', 'alone');
      expect(loaded().ofHub).not.toEqual([]);
    } finally {
      await daemon.close();
      hooked.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
