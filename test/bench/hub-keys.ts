/**
 * How soon the echo of a key is in an attached terminal: on the machine of the session, and on another machine of the
 * hub. Both terminals are open all the time, and the samples alternate.
 */
import type { Terminal } from '../../src/client/index.js';
import type { TestDaemon } from '../harness/daemon.js';
import { type Figure, median, tail } from './bench.js';

const SAMPLES = 300;
/** Keys that the first samples press, so that both terminals are warm. */
const WARM_UP = 20;
const SIZE = { cols: 80, rows: 24 };
/** Echoes each key as a line of its own. */
const ECHO = 'stty raw -echo; echo ready; while key=$(dd bs=1 count=1 2>/dev/null); do echo "<$key>"; done';

type Press = () => Promise<number>;

/** @param viewer  The machine that attaches over the hub to a session of `owner`, whose name there is `name`. */
export async function keys(owner: TestDaemon, viewer: TestDaemon, name: string, quick: boolean): Promise<Figure[]> {
  const { id } = await owner.sh(ECHO);
  // Both have the size of the session, so the output passes unchanged. A painted terminal would get changed cells only.
  const here = await owner.client.terminal(id, { size: SIZE });
  const there = await viewer.client.terminal(id, { size: SIZE, machine: name });
  const press = { here: await presser(here, 'a'), there: await presser(there, 'n') };
  const times: Record<'here' | 'there', number[]> = { here: [], there: [] };
  for (let i = 0; i < (quick ? SAMPLES / 10 : SAMPLES) + WARM_UP; i++) {
    for (const where of ['here', 'there'] as const) {
      const ms = await press[where]();
      if (i >= WARM_UP) times[where].push(ms);
    }
  }
  for (const terminal of [here, there]) terminal.close();
  await owner.client.call('session.kill', { session: id, grace_ms: 0 });
  return [
    ...tail('key → echo, attached on its own machine', times.here),
    ...tail('key → echo, attached on the other machine', times.there),
    { what: '  of its own machine, p50', value: median(times.there) / median(times.here), unit: 'x' },
  ];
}

/** Returns a function that presses a key and resolves with the milliseconds to its echo. It presses 13 keys in turn. */
async function presser(terminal: Terminal, first: string): Promise<Press> {
  let wanted = 'ready';
  let seen = (): void => undefined;
  let count = 0;
  const ready = new Promise<void>((resolve) => {
    seen = resolve;
  });
  terminal.onBytes((bytes) => {
    if (Buffer.from(bytes).includes(wanted)) seen();
  });
  await ready;
  return async () => {
    const key = String.fromCharCode(first.charCodeAt(0) + (count++ % 13));
    wanted = `<${key}>`;
    const echoed = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const begun = performance.now();
    await terminal.sendBytes(key);
    await echoed;
    return performance.now() - begun;
  };
}
