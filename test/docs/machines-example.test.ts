/**
 * Runs the guide's example of two machines: each line on its machine, with two daemons and a real nats-server on this
 * host. Only what names a machine of the reader is replaced: keys, the address of the server, and its certificate.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { hasOpenssl, makeCertificate } from '../harness/certificate.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { freePort, hasNats } from '../harness/nats-server.js';
import { ROOT, readPage } from './pages.js';

const [, text = ''] =
  /<!-- example: machines -->\n```\w+\n([\s\S]*?)\n```/.exec(readPage('docs/guide/machines.md')) ?? [];
const LINES = text
  .replaceAll(/\\\n\s+/g, '')
  .split('\n')
  .map((line) => {
    const [machine = '', ...words] = line.replace(/ +#.*/, '').split(/ +/);
    return { machine, command: words.join(' ') };
  });

test.skipIf(!hasNats || !hasOpenssl)('the example of two machines asks on one and answers on the other', async () => {
  const [laptop, build] = await Promise.all([startDaemon(), startDaemon()]);
  const dir = mkdtempSync(join(tmpdir(), 'orchd-machines-'));
  let server: ChildProcess | undefined;
  try {
    symlinkSync(join(ROOT, 'bin/orchd.js'), join(dir, 'orchd'));
    makeCertificate(dir);
    const port = await freePort();
    const keyOf = async (daemon: TestDaemon) => (await daemon.json<{ key: string }>('hub', 'key')).key;
    const [laptopKey, buildKey] = [await keyOf(laptop), await keyOf(build)];
    const ofReader = (command: string): string =>
      command
        .replaceAll('UAXO…', laptopKey)
        .replaceAll('UBQT…', buildKey)
        .replace(/tls:\/\/hub\.example\.org/, `tls://127.0.0.1:${port} --ca cert.pem`);
    const run = (daemon: TestDaemon, command: string): string => {
      const env = { ...daemon.env, PATH: `${dir}:${process.env['PATH']}` };
      const { status, stdout, stderr } = spawnSync('sh', ['-ec', ofReader(command)], {
        env,
        cwd: dir,
        encoding: 'utf8',
      });
      expect([status, stderr], command).toEqual([0, expect.any(String)]);
      return stdout;
    };
    const isHere = async (item: string): Promise<boolean> =>
      (await laptop.client.call('hub.items', {})).some((one) => one.item.id === item);
    let answered = '';
    for (const { machine, command } of LINES) {
      if (command.startsWith('nats-server')) {
        const config = join(dir, 'hub.conf');
        const store = JSON.stringify(join(dir, 'store'));
        writeFileSync(
          config,
          readFileSync(config, 'utf8')
            .replace(/listen: .*/, `listen: "127.0.0.1:${port}"`)
            .replace(/store_dir: .*/, `store_dir: ${store}`),
        );
        const [program = '', ...args] = command.split(' ');
        server = spawn(program, args, { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] });
        await ready(server);
        continue;
      }
      if (command.includes('inbox')) {
        const script = 'echo ":ORCHESTRATOR: QUESTION - Which token?"; read -r x; echo "got $x"; sleep 1000';
        const { id } = await build.openItem(await build.sh(script, '--name', 'web'));
        await expect.poll(() => isHere(id), { timeout: 20_000 }).toBe(true);
      }
      const printed = run(machine === 'build' ? build : laptop, command);
      if (command.includes('inbox')) expect(printed).toContain('Which token?');
      if (command.includes('answer')) answered = printed;
    }
    expect(answered).toBe('answered build/web: use JWT\n');
    await build.event('answer_acknowledged');
  } finally {
    await laptop.close();
    await build.close();
    if (server) {
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
    rmSync(dir, { recursive: true });
  }
});

async function ready({ stderr }: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: stderr as NonNullable<typeof stderr> })) {
    if (line.includes('Server is ready')) break;
  }
  stderr?.resume();
}
