/**
 * Kills the daemon or the host at random moments: no announced event is lost or duplicated, and no accepted answer is
 * lost or typed twice.
 *
 * ORCHD_CRASHES=100 ORCHD_SEED=7 npx vitest run --config test/vitest.config.ts test/e2e/crash.test.ts
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import type { Event, Session } from '../../src/protocol/index.js';
import { answerAll, followAll, type LoadFiles, startAsker, startReporter } from '../harness/crash-load.js';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { createRandom, givenSeed, type Random } from '../harness/random.js';

const CRASHES = Number(process.env['ORCHD_CRASHES'] ?? 12);
const SEED = givenSeed();
const REPORTERS = 2;
const ASKERS = 2;
/** Maximum time from the start of a daemon to its kill. */
const LIFE_MS = 150;

let daemon: TestDaemon;
afterEach(() => daemon.close());

const STEP_ONE = `printf '%s\\n' '\`\`\`orchestrator-message' '{"type":"STATUS_UPDATE","data":{"currentStep":"one"}}' '\`\`\`'`;

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);
const allEvents = async (): Promise<Event[]> => {
  const events: Event[] = [];
  for await (const event of daemon.client.events({ since: 0 })) if (event.event_type !== 'gap') events.push(event);
  return events;
};

/** Returns the step numbers of a reporter's messages, in the order of the log. */
function stepsOf(events: readonly Event[], session: Session): number[] {
  return events.flatMap((event) => {
    if (event.event_type !== 'message' || event.session_id !== session.id) return [];
    const { data } = event.message;
    const step = /^step (\d+)$/.exec(String(data['currentStep'] ?? data['summary']))?.[1];
    return step === undefined ? [] : [Number(step)];
  });
}

const count = (to: number): number[] => Array.from({ length: to }, (_, i) => i + 1);

const start = () => daemon.start();

/** Waits for a short random time, so that no event announces the moment of the kill. */
const aMoment = (random: Random): Promise<unknown> =>
  new Promise((resolve) => setTimeout(resolve, random.below(LIFE_MS) + 1));

async function underLoad(replace: (random: Random) => Promise<void>, times: number): Promise<void> {
  console.log(`${times} times, ORCHD_SEED=${SEED}`);
  const random = createRandom(SEED);
  daemon = await startDaemon();
  const { stateDir } = daemon.paths;
  const files: LoadFiles = { stop: join(stateDir, 'stop'), told: (index) => join(stateDir, `told-${index}`) };
  const end = new AbortController();
  const follower = followAll(daemon, end.signal);
  const client = answerAll(daemon, end.signal);
  const reporters: Session[] = [];
  const askers: Session[] = [];
  for (let i = 0; i < REPORTERS; i++) reporters.push(await startReporter(daemon, files));
  for (let i = 0; i < ASKERS; i++) {
    askers.push(await startAsker(daemon, files, i));
  }
  const sessions = [...reporters, ...askers];
  for (let i = 0; i < times; i++) {
    await aMoment(random);
    await replace(random);
    for (const { pid } of sessions) expect(isRunning(pid ?? 0), 'an agent is alive').toBe(true);
  }
  writeFileSync(files.stop, '');
  await Promise.all(sessions.map(({ id }) => daemon.event('session_exited', (event) => event.session_id === id)));
  const events = await allEvents();
  await expect.poll(() => follower.events.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(events.length);
  end.abort();
  await Promise.all([follower.ended, client.ended]);

  expect(events.map(({ seq }) => seq)).toEqual(count(events.length));
  // Events that only depend on time may have been added since.
  expect(follower.events.slice(0, events.length)).toEqual(events);
  for (const reporter of reporters) {
    const done = events.findLast((event) => event.event_type === 'message' && event.session_id === reporter.id);
    const printed = done?.event_type === 'message' ? Number(String(done.message.data['summary']).split(' ').at(-1)) : 0;
    expect(printed).toBeGreaterThan(times);
    expect(stepsOf(events, reporter)).toEqual(count(printed));
  }
  for (const [index, asker] of askers.entries()) {
    const told = readFileSync(files.told(index), 'utf8').trimEnd().split('\n');
    const opened = events.filter((event) => event.event_type === 'item_opened' && event.session_id === asker.id);
    // The questions came one after the other. Each item was answered with its own text, once, in order.
    expect(told).toEqual(opened.map((event) => `answer to ${event.event_type === 'item_opened' && event.item_id}`));
    for (const event of opened) {
      if (event.event_type !== 'item_opened') continue;
      const about = events.filter((other) => 'item_id' in other && other.item_id === event.item_id);
      const types = about.map((other) => other.event_type);
      expect(types.filter((type) => type === 'item_notified').length).toBeLessThanOrEqual(1);
      const delivery = types.filter((type) => type !== 'answer_stalled' && type !== 'item_notified');
      expect(delivery.slice(0, 4)).toEqual(['item_opened', 'item_answered', 'answer_accepted', 'answer_written']);
      expect(delivery.length).toBeLessThanOrEqual(5);
    }
  }
  const everTold = new Set(askers.flatMap((_, index) => readFileSync(files.told(index), 'utf8').trimEnd().split('\n')));
  for (const text of client.accepted.values()) expect(everTold).toContain(text);
}

describe('no event is lost or duplicated', { timeout: 60_000 + CRASHES * 20_000 }, () => {
  test(`when the daemon is killed ${CRASHES} times under load`, async () => {
    await underLoad(async () => {
      await daemon.crash();
      await start();
    }, CRASHES);
  });

  test('when the daemon is restarted under load', async () => {
    await underLoad(async () => {
      const { code, stderr } = await daemon.orchd('restart', '--no-tcp');
      expect(code, stderr).toBe(0);
    }, 3);
  });

  test('when the daemon is killed while an answer is on its way', async () => {
    const random = createRandom(SEED);
    daemon = await startDaemon();
    for (let round = 0; round < 5; round++) {
      const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - go on?'
        read -r a; echo "told $a"; read -r b; echo "then $b"`);
      const item = await daemon.openItem(session);
      const answering = daemon.client.call('inbox.answer', { item: item.id, text: `yes ${round}` });
      const outcome = answering.then(
        () => 'accepted' as const,
        () => 'unknown' as const,
      );
      const life = random.below(12);
      for (let turn = 0; turn < life; turn++) await new Promise(setImmediate);
      await daemon.crash();
      await start();
      const wasAccepted = (await outcome) === 'accepted';
      const { state } = await daemon.client.call('inbox.show', { item: item.id });
      if (wasAccepted) expect(state).toBe('answered');
      if (state === 'open') await daemon.client.call('inbox.answer', { item: item.id, text: `yes ${round}` });
      await daemon.event('answer_written', (event) => event.item_id === item.id);
      await daemon.client.call('session.send', { session: session.id, text: 'the end' });
      await daemon.event('session_exited', (event) => event.session_id === session.id);
      const { text } = await daemon.client.call('session.capture', { session: session.id });
      expect(text).toContain(`told yes ${round}\n`);
      expect(text).toContain('then the end\n'); // The answer was not typed a second time.
    }
  });
});

describe('after a kill of the host', () => {
  test('sessions are lost but keep what was heard, items stay open, and a new host takes new sessions', async () => {
    daemon = await startDaemon();
    const session = await daemon.sh(`${STEP_ONE}; echo ':ORCHESTRATOR: QUESTION - two?'; read x`);
    const other = await daemon.sh('read x');
    const item = await daemon.openItem(session);
    const { host } = await daemon.client.call('daemon.status', {});
    process.kill(host.pid, 'SIGKILL');
    await gone(host.pid);
    for (const { id } of [session, other]) {
      await daemon.event('session_lost', (event) => event.session_id === id);
    }
    const [shown, lost] = await Promise.all([
      daemon.client.call('inbox.show', { item: item.id }),
      daemon.client.call('session.show', { session: session.id }),
    ]);
    expect(shown.state).toBe('open');
    expect(lost).toMatchObject({ state: 'lost', state_source: 'host', current_step: 'one', open_items: 1 });
    await expect(daemon.client.call('inbox.answer', { item: item.id, text: 'too early' })).rejects.toMatchObject({
      code: 'ORCHD_SESSION_ENDED',
      message: expect.stringContaining('orchd revive'),
    });
    // The new session waits for the new host.
    const fresh = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - still there?'; read -r x; echo "told $x"`);
    const next = await daemon.openItem(fresh);
    await daemon.client.call('inbox.answer', { item: next.id, text: 'yes' });
    await daemon.event('session_exited', (event) => event.session_id === fresh.id);
    const { text } = await daemon.client.call('session.capture', { session: fresh.id });
    expect(text).toContain('told yes');
    expect((await daemon.client.call('daemon.status', {})).host.pid).not.toBe(host.pid);
  });

  test('and of the daemon, the next daemon reports the lost sessions with what they had said', async () => {
    daemon = await startDaemon();
    const session = await daemon.sh(`${STEP_ONE}; read x`);
    await daemon.event('message', (event) => event.session_id === session.id);
    const { host } = await daemon.client.call('daemon.status', {});
    process.kill(host.pid, 'SIGKILL');
    await daemon.crash();
    await start();
    await daemon.event('session_lost', (event) => event.session_id === session.id);
    expect(await daemon.client.call('session.show', { session: session.id })).toMatchObject({
      state: 'lost',
      current_step: 'one',
    });
  });

  test.each([
    ['the same daemon', false],
    ['the next daemon', true],
  ])('%s ends a batch session that ignores SIGHUP, with its child processes', async (_, isWithDaemon) => {
    daemon = await startDaemon();
    const loop = 'while :; do echo on; sleep 0.02; done';
    const script = `trap "" HUP TERM PIPE; (${loop}) 2>&- & echo "and $! end"; ${loop} 2>&-`;
    const session = await daemon.sh(script, '--batch');
    const printed = async () => (await daemon.client.call('session.capture', { session: session.id })).text;
    await expect.poll(printed).toMatch(/and \d+ end/);
    const pids = [session.pid, Number(/and (\d+) end/.exec(await printed())?.[1])];
    const { host } = await daemon.client.call('daemon.status', {});
    if (isWithDaemon) await daemon.crash();
    process.kill(host.pid, 'SIGKILL');
    await gone(host.pid);
    if (isWithDaemon) {
      expect(pids.map(isAlive)).toEqual([true, true]);
      await start();
    }
    await daemon.event('session_lost', (event) => event.session_id === session.id);
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
  });
});
