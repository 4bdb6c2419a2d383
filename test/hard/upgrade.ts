/**
 * Upgrades from an older build with living sessions and open questions, and returns to it.
 *
 * orchd promises that sessions and questions survive `orchd restart` with a newer build if that build supports the
 * host's contract (OLDEST_CONTRACT). It promises a return to an older build if the store has the same version.
 * Otherwise the older build refuses the store and names the backup.
 */
import { parseArgs } from 'node:util';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import { OLDEST_CONTRACT } from '../../src/host/index.js';
import { listBackups } from '../../src/store/index.js';
import { storeVersion } from '../../src/store/store-file.js';
import { buildOld, type OldBuild } from './parts/build.js';
import { check, createHome, type Home, until } from './parts/home.js';
import type { HardTest } from './run.js';

/** Commits of builds from 2026-11-23, and the last build of each earlier host contract. */
const FROM = ['e549a41', '4fa2484~1', '9540acf~1', '7831e5d~1'];

export const hard: HardTest = {
  summary: 'upgrade older builds with living sessions and open questions, and go back',
  options: ['--from COMMIT   this build alone; otherwise one of each contract'],
  async run(args) {
    const { values } = parseArgs({ args, options: { from: { type: 'string' } } });
    for (const commit of values.from === undefined ? FROM : [values.from]) {
      console.log(`upgrade: building ${commit}`);
      const old = buildOld(commit);
      const home = createHome();
      try {
        await upgrade(home, old);
      } finally {
        await home.close();
        old.remove();
      }
    }
  },
};

const ask = (question: string) =>
  `echo ":ORCHESTRATOR: QUESTION - ${question}"; read -r a; echo ":ORCHESTRATOR: TASK COMPLETE - got $a"; read -r b`;

async function upgrade(home: Home, old: OldBuild): Promise<void> {
  const start = (name: string, question: string, bin?: string) =>
    home.must(['run', '-d', '--name', name, '--', 'sh', '-c', ask(question)], bin);
  const openIn = async (name: string, bin?: string): Promise<string | undefined> => {
    const items = JSON.parse(await home.must(['inbox', '--json'], bin)) as {
      item_id?: string;
      id?: string;
      name?: string;
    }[];
    return items.map((item) => JSON.stringify(item)).find((text) => text.includes(name));
  };
  const answer = async (name: string, bin?: string): Promise<void> => {
    const item = /"(itm_\w+)"/.exec((await openIn(`question of ${name}`, bin)) ?? '')?.[1] ?? 'none';
    await home.must(['answer', item, 'yes'], bin);
    await until(`${name} goes on`, async () =>
      (await home.must(['capture', name], bin)).includes('TASK COMPLETE - got yes'),
    );
  };
  const status = async (bin?: string) => JSON.parse(await home.must(['status', '--json'], bin));

  await home.must(['start', '--detach', '--no-tcp'], old.bin);
  for (const name of ['first', 'second', 'third']) await start(name, `question of ${name}`, old.bin);
  for (const name of ['first', 'second', 'third'])
    await until(`${name} asks`, () => openIn(`question of ${name}`, old.bin));
  const before = await status(old.bin);
  const contract: number = before.host.contract;
  const version = storeVersion(home.paths.database);
  console.log(`upgrade: from contract ${contract}, store ${version}`);

  if (contract < OLDEST_CONTRACT) {
    const { code, stderr } = await home.run(['restart', '--json']);
    check('a contract that is too old is told', code !== 0 && stderr.includes('ORCHD_HOST_CONTRACT'));
    check('the old daemon goes on', (await status(old.bin)).daemon.pid === before.daemon.pid);
    check('the store is as it was', storeVersion(home.paths.database) === version);
    check('a question is open', (await openIn('question of first', old.bin)) !== undefined);
    await home.must(['stop']);
    check('`orchd stop` ends the old host', !isAlive(before.host.pid));
    return;
  }

  await home.must(['restart', '--no-tcp']);
  const after = await status();
  check('the host goes on', after.host.pid === before.host.pid && after.daemon.pid !== before.daemon.pid);
  check('every session lives', after.sessions === 3);
  check('every question is open', after.open_items === 3);
  await answer('first');
  await start('fourth', 'question of fourth');
  await until('fourth asks', () => openIn('question of fourth'));
  const migrated = storeVersion(home.paths.database) !== version;
  const backups = listBackups(home.paths.database);
  check('a migrated store has a backup', backups.length === (migrated ? 1 : 0));
  if (migrated) {
    const doctor = await home.run(['doctor', '--json']);
    check('`orchd doctor` names the backup', doctor.stdout.includes(backups[0]?.path ?? ''));
  } else {
    await home.must(['restart', '--no-tcp'], old.bin);
    check('every session lives with the old build', (await status(old.bin)).sessions === 4);
    await answer('second', old.bin);
    await home.must(['restart', '--no-tcp']);
  }
  await answer('third');
  await answer('fourth');
  const { host } = await status();
  await home.must(['stop']);
  check('`orchd stop` ends the old host', !isAlive(host.pid));
  await home.must(['start', '--detach', '--no-tcp']);
  check('the next start has its own host', (await status()).host.pid !== host.pid);
}
