/** Tests attaching to sessions of another machine in a real pty: two real daemons and a real nats-server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type HoldingProxy, holdingProxy } from '../harness/holding-proxy.js';
import { enroll, joinHub } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';
import { openTerminal, type Person } from './person.js';
import { timeToRead } from './time-to-read.js';

let server: NatsServer;
/** The way of the laptop to the server. */
let way: HoldingProxy;
let laptop: TestDaemon;
let build: TestDaemon;
const people: Person[] = [];

beforeAll(async () => {
  if (!hasNats) return;
  [server, laptop, build] = await Promise.all([
    startNats(),
    startDaemon(),
    startDaemon({ env: { ORCHD_HUB_SHARE: 'screens', ORCHD_HUB_ACCEPT: 'read, answer, type, start' } }),
  ]);
  way = await holdingProxy(server.port);
  await laptop.orchd('hub', 'init', server.url);
  await joinHub(laptop, way.url, 'laptop');
  await joinHub(build, server.url, 'build');
  await enroll(build, 'laptop', laptop);
});
beforeEach(async () => {
  if (!hasNats) return;
  await expect.poll(async () => (await laptop.client.call('hub.status', {})).state).toBe('connected');
  const there = async () => (await laptop.client.call('hub.status', {})).machines.filter(({ away }) => !away);
  await expect.poll(async () => (await there()).map(({ name }) => name)).toEqual(['build', 'laptop']);
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await build.killAll();
});
afterAll(async () => {
  for (const daemon of [laptop, build]) await daemon?.close();
  way?.close();
  await server?.close();
});

function open(line: string): Person {
  const person = openTerminal(line, { env: laptop.env });
  people.push(person);
  return person;
}

const PREFIX = '\x1d';
const DETACH = `${PREFIX}d`;
const FOREVER = 'while read -r line; do echo "heard:$line"; done';

describe.skipIf(!hasNats)('orchd attach to a session of another machine', () => {
  test('shows it with the name of the machine, passes keys, and detaches', async () => {
    await build.sh(`echo ready; ${FOREVER}`, '--name', 'web');
    const person = open('orchd attach build/web; echo "back:$?"');
    await person.sees(/^ready[\s\S]*build\/web/);
    person.types('hello\r');
    await person.sees('heard:hello');
    person.types(DETACH);
    await person.sees(/\[detached from build\/web\]\nback:0/);
  });

  test('goes to its other sessions, answers their questions, and splits only on this machine', async () => {
    await build.sh(`echo one; ${FOREVER}`, '--name', 'one');
    const asking = `echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r x; echo "colour:$x"; ${FOREVER}`;
    await build.openItem(await build.sh(asking, '--name', 'two'));
    const person = open('orchd attach --machine build one');
    await person.sees(/build\/one.*1 open/);
    person.types(`${PREFIX}|`);
    await person.sees('a split shows sessions of this machine only');
    person.types(`${PREFIX}n`);
    await person.sees(/Which colour[\s\S]*build\/two/);
    await person.sees('Ctrl-] a answers');
    person.types(`${PREFIX}a`);
    await person.sees('Enter sends');
    await timeToRead(person);
    person.types('blue\r');
    await person.sees('colour:blue');
    person.types(DETACH);
    await person.exited;
  });

  test('says so while the network is cut, types nothing then, and goes on with a fresh screen', async () => {
    const session = await build.sh(`echo ready; ${FOREVER}`, '--name', 'cut');
    const person = open('orchd attach build/cut; echo "back:$?"');
    await person.sees(/^ready[\s\S]*build\/cut/);
    way.hold();
    await person.sees(/no connection to build, the session goes on \(Ctrl-\] d leaves\)/);
    await build.client.call('session.send', { session: session.id, text: 'mean' + 'while' });
    person.types('lost\r');
    way.cut();
    await person.sees(/heard:meanwhile[\s\S]*build\/cut/);
    person.types('again\r');
    await person.sees('heard:again');
    expect(person.screen()).not.toContain('lost');
    way.hold();
    await person.sees('no connection to build');
    person.types(DETACH);
    await person.sees(/\[detached from build\/cut\]\nback:0/);
    way.cut();
  });

  test('`orchd run --machine` attaches to what it starts, and returns its exit code', async () => {
    const person = open(`orchd run --machine build --name made -- sh -c 'echo ready; read x; exit 7'; echo "back:$?"`);
    await person.sees(/^ready[\s\S]*build\/made/);
    person.types('\r');
    await person.sees('back:7');
    const kept = open(`orchd run --machine build --keep --name kept -- sh -c 'echo last words'; echo "back:$?"`);
    await kept.sees(/last words[\s\S]*exited with code 0 · q leaves/);
    kept.types('q');
    await kept.sees('back:0');
  });

  test('is opened from the TUI, and leads back to it', async () => {
    await build.sh(`echo ready; ${FOREVER}`, '--name', 'web');
    const person = open('orchd');
    await person.sees('on build');
    person.types('\x1b[B\x1b[B\r');
    await person.sees(/^ready[\s\S]*build\/web/);
    person.types(DETACH);
    await person.sees('on build');
  });

  test('names the reason if it cannot', async () => {
    const person = open('orchd attach --machine build; orchd attach build/nothing; orchd attach other/x; echo end');
    await person.sees(/end/);
    expect(person.screen()).toContain('orchd ls --machine build');
    expect(person.screen()).toContain("no session 'nothing'");
    expect(person.screen()).toContain("no machine 'other'");
  });
});
