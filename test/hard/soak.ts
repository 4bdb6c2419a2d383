/**
 * A day of work, compressed: sessions start, print, paint, ask, are answered, are looked at and end, thousands of
 * times.
 *
 * Holds if memory stays flat: after the first quarter, which warms up (caches, compiled code), what the daemon and the
 * host hold at rest grows by at most GROWTH_MB each. Also: every question is answered, every session ends, and neither
 * process is replaced.
 *
 * A day is taken as 12,000 questions in 600 sessions. `--share 0.1` takes a tenth of it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { check, createHome, type Home, until } from './parts/home.js';
import type { HardTest } from './run.js';

const SESSIONS = 600;
/** Number of sessions that live at the same time. */
const TOGETHER = 12;
const QUESTIONS = 20;
/** Printed between two questions, in bytes. */
const OUTPUT_BYTES = 170_000;
const GROWTH_MB = 40;
/** Samples of memory. */
const PARTS = 12;
/** A process at rest gives memory back within this time. */
const REST_MS = 5_000;

export const hard: HardTest = {
  summary: 'a day of sessions, questions and output, compressed; memory stays flat',
  options: ['--share N   the part of a day, from 0 to 1 (1)'],
  async run(args) {
    const { values } = parseArgs({ args, options: { share: { type: 'string' } } });
    const share = Number(values.share ?? 1);
    if (!(share > 0 && share <= 1)) throw new Error('--share takes a number above 0, up to 1');
    const home = createHome();
    try {
      await soak(home, Math.max(PARTS, Math.round(SESSIONS * share)));
    } finally {
      await home.close();
    }
  },
};

/** Prints lines or paints a screen, asks, and goes on with the answer. It ends after QUESTIONS answers. */
const PROGRAM = `n=0; while [ $n -lt ${QUESTIONS} ]; do n=$((n+1))
  if [ $((n % 4)) -eq 0 ]; then
    printf '\\033[?1049h\\033[2J'; head -c ${OUTPUT_BYTES} /dev/urandom | od -An -c | cut -c1-72; printf '\\033[?1049l'
  else head -c ${OUTPUT_BYTES / 2} /dev/urandom | od -An -x; fi
  echo ":ORCHESTRATOR: QUESTION - Number $n?"; read -r answer || exit 1; echo "read $answer"
done`;

async function soak(home: Home, sessions: number): Promise<void> {
  await home.must(['start', '--detach', '--no-tcp']);
  const { client } = home;
  const daemonPid = Number(readFileSync(home.paths.pidFile, 'utf8'));
  const { host } = await client.call('daemon.status', {});
  const living = new Set<string>();
  const samples: { daemon: number; host: number }[] = [];
  let begun = 0;
  let ended = 0;
  let answered = 0;
  const perPart = sessions / PARTS;
  const begin = async (): Promise<void> => {
    const { id } = await client.call('session.start', { command: ['sh', '-c', PROGRAM], cwd: '/' });
    living.add(id);
    begun++;
  };
  while (ended < sessions) {
    const due = Math.ceil((samples.length + 1) * perPart);
    while (living.size < TOGETHER && begun < Math.min(due, sessions)) await begin();
    for (const { id, session_id } of await client.call('inbox.list', {})) {
      await client.call('inbox.answer', { item: id, text: `answer ${answered++}` });
      if (answered % 50 === 0) await client.call('session.capture', { session: session_id, scrollback: 200 });
    }
    for (const { id, state, ended_at } of await client.call('session.list', { all: true })) {
      if (ended_at === null || !living.delete(id)) continue;
      if (state === 'failed' || state === 'lost') throw new Error(`session ${id} ended as ${state}`);
      ended++;
      await client.call('session.remove', { session: id, forever: true }); // as a person, or retention, would
    }
    if (ended >= due || ended >= sessions) {
      await atRest(daemonPid);
      samples.push({ daemon: megabytes(daemonPid), host: megabytes(host.pid) });
      const { daemon, host: hostMb } = samples.at(-1) ?? { daemon: 0, host: 0 };
      console.log(
        `soak: ${ended} of ${sessions} sessions, ${answered} answers; daemon ${daemon} MB, host ${hostMb} MB`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const status = await client.call('daemon.status', {});
  check(
    'neither the daemon nor the host was replaced',
    status.host.pid === host.pid && status.daemon.pid === daemonPid,
  );
  check(`${answered} questions answered in ${ended} sessions`, answered === sessions * QUESTIONS);
  // Returns the lowest samples, because a single sample may contain garbage by chance.
  const least = (some: typeof samples, name: 'daemon' | 'host'): number => Math.min(...some.map((one) => one[name]));
  const quarter = PARTS / 4;
  for (const name of ['daemon', 'host'] as const) {
    const [before, after] = [least(samples.slice(quarter, 2 * quarter), name), least(samples.slice(-quarter), name)];
    const words = `the ${name} is flat: at least ${before} MB in the second quarter, ${after} MB in the last`;
    check(words, after - before <= GROWTH_MB);
  }
}

/** Resident memory that is not shared. */
function megabytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024);
}

/** Waits until a process uses no CPU, so that no measurement happens during work. */
async function atRest(pid: number): Promise<void> {
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  let before = ticks();
  await until('the daemon is at rest', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = ticks();
    const isQuiet = now - before <= 2;
    before = now;
    return isQuiet;
  });
}
