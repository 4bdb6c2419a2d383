/** Tests a full disk: commands report it, no event is lost, and orchd recovers by itself once there is space. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { mountSmallDisk } from '../harness/small-disk.js';

const disk = mountSmallDisk(24);
let daemon: TestDaemon;
beforeAll(async () => {
  if (disk) daemon = await startDaemon({ parent: disk.path });
});
afterAll(async () => {
  if (!disk) return;
  disk.free();
  await daemon.close();
  disk.close();
});

/** A program that asks again after each answer and prints 2 KB in between. */
const ASKS = `n=0; while :; do n=$((n+1)); echo ":ORCHESTRATOR: QUESTION - Number $n?"; read -r answer
  head -c 2000 /dev/zero | tr '\\0' x | fold -w 70; echo; done`;
const SAYS = /the disk of .* is full/;

async function answerUntilFull(): Promise<void> {
  for (;;) {
    const [item] = await daemon.client.call('inbox.list', {});
    const refused =
      item && (await daemon.client.call('inbox.answer', { item: item.id, text: 'go on' }).catch((e) => e));
    if (refused?.code === 'ORCHD_STORE_FULL') return;
    if ((await daemon.client.call('daemon.status', {})).disk?.state === 'full') return;
  }
}

// The test is skipped if this machine does not allow mounting a tmpfs.
test.skipIf(disk === null)(
  'a full disk is reported by start, status, ls and doctor, and answers are typed once it is freed',
  async () => {
    const session = await daemon.sh(ASKS);
    await daemon.openItem(session);
    disk?.fill();
    await answerUntilFull();
    expect((await daemon.orchd('status')).stdout).toMatch(SAYS);
    expect((await daemon.orchd('ls')).stderr).toMatch(SAYS);
    const doctor = await daemon.orchd('doctor');
    expect(doctor.stdout).toMatch(SAYS);
    expect(doctor.code).toBe(1);

    await daemon.crash();
    disk?.fill();
    const started = await daemon.orchd('start', '--detach', '--no-tcp');
    expect(started.stderr).toMatch(SAYS);
    disk?.free();
    if (started.code !== 0) expect((await daemon.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    await expect.poll(async () => (await daemon.client.call('daemon.status', {})).disk?.state).toBe('ok');
    const item = await daemon.openItem(session);
    await daemon.client.call('inbox.answer', { item: item.id, text: 'go on' });
    await daemon.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
  },
);

/** A program that prints about half a megabyte per second. */
const LOUD = 'line=$(head -c 100000 /dev/zero | tr \'\\0\' x | fold -w 100); while :; do echo "$line"; sleep 0.2; done';

test.skipIf(disk === null)(
  'below retention.min_free the session that prints most is paused until there is space',
  async () => {
    const small = mountSmallDisk(128);
    if (!small) throw new Error('the first one could be mounted');
    const other = await startDaemon({ parent: small.path });
    try {
      const loud = await other.sh(LOUD);
      const quiet = await other.sh("read -r _; echo ':ORCHESTRATOR: QUESTION - Still there?'; cat");
      small.fill(6_000_000); // retention.min_free is a twentieth of the disk: 6.7 MB.
      const report = async () => (await other.client.call('daemon.status', {})).disk;
      await expect.poll(async () => (await report())?.paused, { timeout: 20_000 }).toBe(1);
      expect((await other.orchd('status')).stdout).toContain('1 session that prints most waits');
      await other.client.call('session.send', { session: quiet.id, text: 'ask' });
      await other.openItem(quiet);
      small.free();
      const resumed = await other.event('session_resumed', ({ session_id }) => session_id === loud.id);
      const paused = await other.event('session_paused', ({ session_id }) => session_id === loud.id);
      expect(paused).toMatchObject({ reason: 'disk_low' });
      expect(resumed.seq).toBeGreaterThan(paused.seq);
      await other.client.call('session.kill', { session: loud.id, grace_ms: 100 });
    } finally {
      small.free();
      await other.close();
      small.close();
    }
  },
);

test.skipIf(disk === null)('orchd stop ends a session that has filled the disk', async () => {
  const small = mountSmallDisk(3);
  if (!small) return;
  const own = await startDaemon({ parent: small.path });
  try {
    const loud = await own.sh('exec yes');
    await expect.poll(async () => (await own.client.call('daemon.status', {})).disk?.state).toBe('full');
    // This is the first event since the disk is full.
    const stopped = await own.orchd('stop');
    expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining('stopped; 1 session ended')]);
    expect(() => process.kill(loud.pid ?? 0, 0)).toThrow('ESRCH');
  } finally {
    await own.close();
    small.close();
  }
});

test.skipIf(disk === null)(
  'a disk without free inodes is reported and works again once files are removed',
  async () => {
    const full = mountSmallDisk(24, { inodes: 400 });
    if (!full) return;
    const own = await startDaemon({ parent: full.path });
    const litter = `${full.path}/litter`;
    try {
      const asking = await own.sh(`echo ':ORCHESTRATOR: QUESTION - still there?'; read -r a; echo "got $a"; read -r b`);
      const item = await own.openItem(asking);
      expect((await own.orchd('status')).stdout).toContain('health    ok');
      mkdirSync(litter);
      expect(() => {
        for (let n = 0; ; n++) writeFileSync(`${litter}/${n}`, '');
      }).toThrow('ENOSPC');
      for (const command of ['status', 'doctor']) expect((await own.orchd(command)).stdout).toMatch(/full of files/);
      expect((await own.orchd('ls')).stderr).toMatch(/full of files/);
      const refused = await own.orchd('run', '--detach', '--', 'true');
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toMatch(/no space left/);
      await own.client.call('inbox.answer', { item: item.id, text: 'yes' });
      await own.event('answer_acknowledged', ({ item_id }) => item_id === item.id);
      rmSync(litter, { recursive: true });
      expect((await own.orchd('status')).stdout).toContain('health    ok');
      expect((await own.orchd('run', '--detach', '--', 'true')).code).toBe(0);
    } finally {
      rmSync(litter, { recursive: true, force: true });
      await own.close();
      full.close();
    }
  },
);
