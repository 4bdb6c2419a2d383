/** Tests goals of a workflow that run on other machines of a hub (`ON`): real daemons and a real nats-server. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Run, WorkflowRun } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { enroll, joinHub, readStream } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

let server: NatsServer;
let laptop: TestDaemon;
let build: TestDaemon;
/** The directory of the workflows. Its name is also that of a directory on `build`. */
let project: string;

beforeAll(async () => {
  if (!hasNats) return;
  const env = { ORCHD_HUB_ACCEPT: 'read, answer, start' };
  [server, laptop, build] = await Promise.all([
    startNats(),
    startDaemon({ env: { LAPTOP_TOKEN: 'secret' } }),
    startDaemon({ env }),
  ]);
  await laptop.orchd('hub', 'init', server.url);
  await joinHub(laptop, server.url, 'laptop');
  await joinHub(build, server.url, 'build');
  await enroll(build, 'laptop', laptop);
});
afterAll(async () => {
  for (const daemon of [laptop, build]) await daemon?.close();
  await server?.close();
  if (project) rmSync(project, { recursive: true });
});
beforeEach(async () => {
  if (!hasNats || project) return;
  project = mkdtempSync(join(tmpdir(), 'orchd-placing-'));
  await build.orchd('run', '-d', '-C', project, '--', 'true'); // A directory is known when something was started in it.
});

let workers = 0;

/** Makes a blueprint of a machine. Its program notes each start, and returns its directory when it is told to. */
async function worker(...daemons: TestDaemon[]) {
  const name = `worker-${++workers}`;
  const [starts, go] = [join(project, `${name}-starts`), join(project, `${name}-go`)];
  for (const [index, { client }] of daemons.entries()) {
    const script =
      `echo ${index} >> ${starts}; while [ ! -e ${go} ]; do sleep 0.05; done; ` +
      `printf '{"where":"%s","by":%s,"token":"%s"}' "$PWD" ${index} "$LAPTOP_TOKEN"`;
    const output_schema = { type: 'object', required: ['where'] };
    await client.call('blueprint.create', { name, adapter: 'shell', args: ['sh', '-c', script], output_schema });
  }
  return {
    name,
    finish: () => writeFileSync(go, ''),
    /** The number of the daemon for each start. */
    starts: () => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n') : []),
  };
}

async function run(agentfile: string, ...options: string[]): Promise<WorkflowRun> {
  const folder = join(project, `flow-${++workers}`);
  mkdirSync(folder);
  const file = join(folder, 'Agentfile');
  writeFileSync(file, agentfile);
  return laptop.json<WorkflowRun>('workflow', 'run', '-d', '-C', project, ...options, file);
}
const show = (id: string): Promise<WorkflowRun> => laptop.client.call('workflow.show', { workflow: id });
const ended = async (id: string): Promise<WorkflowRun> => {
  await expect.poll(async () => (await show(id)).ended_at, { timeout: 60_000 }).not.toBe(null);
  return show(id);
};
const valuesOf = ({ variables }: WorkflowRun) => Object.fromEntries(variables.map(({ name, value }) => [name, value]));
const runOf = async (id: string) => (await show(id)).steps[0]?.runs[0];

describe.skipIf(!hasNats)('goals on other machines', () => {
  test('a goal runs on a named machine, in the directory with this name, and its outputs come back', async () => {
    const { name, finish, starts } = await worker(build);
    const { id } = await run(`GOAL far "Look" -> where WITH ${name} ON build\nASK "Is it $where?" -> answer`);
    await expect.poll(starts).toEqual(['0']);
    const { run_id: runId = '', machine } = (await runOf(id)) ?? {};
    expect(machine).toBe('build');
    expect((await laptop.orchd('workflow', 'show', id)).stdout).toContain(`build/${runId}`);
    expect(await laptop.client.call('run.list', {})).toEqual([]);
    finish();
    const asked = await laptop.event('item_opened', ({ workflow_id }) => workflow_id === id);
    expect(valuesOf(await show(id))).toEqual({ where: project });
    await laptop.json('answer', asked.item_id, 'yes');
    expect((await ended(id)).state).toBe('completed');
    const there: Run = await build.client.call('run.show', { run: runId });
    expect((await runOf(id))?.session_id).toBe(there.session_id);
    expect((await laptop.orchd('hub', 'commands')).stdout).toContain('run.place');
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]);
  });

  test('IN names another directory, and an agent of a goal has its own place', async () => {
    const { name, finish } = await worker(build);
    finish();
    const near = await worker(laptop);
    near.finish();
    const { id } = await run(
      `AGENT one "Look" -> where WITH ${name} ON build IN "/tmp"\nGOAL sum "Sum up" -> where WITH ${near.name} USING one`,
    );
    expect((await ended(id)).state).toBe('completed');
    const [agent, synthesis] = (await show(id)).steps[0]?.runs ?? [];
    expect([agent?.machine, synthesis?.machine]).toEqual(['build', undefined]);
    const there: Run = await build.client.call('run.show', { run: agent?.run_id ?? '' });
    expect([there.cwd, there.result_data]).toMatchObject(['/tmp', { where: '/tmp', token: '' }]);
  });

  test('a run is started once and its result counts once, although both daemons are killed with kill -9', async () => {
    const { name, finish, starts } = await worker(build);
    const { id } = await run(`GOAL far "Look" -> where WITH ${name} ON build`);
    await expect.poll(starts).toEqual(['0']);
    await laptop.crash();
    await build.crash();
    await build.start();
    finish();
    await expect.poll(async () => (await build.client.call('run.list', {})).at(-1)?.state).toBe('completed');
    await laptop.start();
    const over = await ended(id);
    expect([over.state, valuesOf(over), starts()]).toEqual(['completed', { where: project }, ['0']]);
    const { stdout } = await laptop.orchd('events', '--json', '--type', 'workflow_step_changed');
    const completed = stdout.split('\n').filter((line) => line.includes(id) && line.includes('"state":"completed"'));
    expect(completed).toHaveLength(1);
  });

  test('a goal waits for a machine that is away, and a cancelled one does not start there', async () => {
    const { name, finish, starts } = await worker(build);
    finish();
    await build.crash();
    const { id } = await run(`GOAL far "Look" -> where WITH ${name} ON build`);
    const cancelled = await run(`GOAL far "Look" -> where WITH ${name} ON build`);
    expect(await laptop.json('workflow', 'cancel', cancelled.id)).toMatchObject({ state: 'cancelled' });
    expect((await show(id)).state).toBe('running');
    await build.start();
    expect((await ended(id)).state).toBe('completed');
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]);
    expect(starts()).toEqual(['0']);
  });

  test('a cancelled workflow cancels its run on the other machine', async () => {
    const { name, starts } = await worker(build);
    const { id } = await run(`GOAL far "Look" -> where WITH ${name} ON build`);
    await expect.poll(starts).toEqual(['0']);
    const runId = (await runOf(id))?.run_id ?? '';
    await laptop.json('workflow', 'cancel', id);
    await expect.poll(async () => (await build.client.call('run.show', { run: runId })).state).toBe('cancelled');
    expect((await ended(id)).state).toBe('cancelled');
  });

  test('what cannot be placed says why', async () => {
    const file = join(project, 'wrong');
    const tried = async (text: string, from = laptop) => {
      writeFileSync(file, text);
      const { code, stderr } = await from.orchd('workflow', 'run', '-C', project, file);
      return [code, stderr];
    };
    expect(await tried('GOAL a "Do" ON other')).toEqual([
      expect.any(Number),
      expect.stringContaining("GOAL a: the hub knows no machine 'other'"),
    ]);
    expect(await tried('GOAL a "Do" ON build IN "no-such-directory"')).toEqual([
      1,
      expect.stringMatching(/on 'build': there is no directory .*no-such-directory.*ON … IN/),
    ]);
    expect(await tried('GOAL a "Do" ON build WITH no-such-blueprint')).toEqual([
      1,
      expect.stringMatching(/on 'build': .*no-such-blueprint/),
    ]);
    expect(await tried('GOAL a "Do" ON build REQUIRES "no-such-profile"')).toEqual([
      1,
      expect.stringMatching(/on 'build': no profile 'no-such-profile'/),
    ]);
    expect(await tried('GOAL a "Do" ON laptop', build)).toEqual([
      1,
      expect.stringContaining(`has not enrolled the key of 'build'`),
    ]);
    const alone = await startDaemon();
    try {
      expect(await tried('GOAL a "Do" ON build', alone)).toEqual([
        expect.any(Number),
        expect.stringContaining('GOAL a: this machine is on no hub'),
      ]);
    } finally {
      await alone.close();
    }
  });
});

describe.skipIf(!hasNats)('goals for a label', () => {
  let one: TestDaemon;
  let two: TestDaemon;
  beforeAll(async () => {
    const env = { ORCHD_HUB_ACCEPT: 'read, answer, start', ORCHD_HUB_LABELS: 'gpu', ORCHD_RUNS_PARALLEL: '1' };
    [one, two] = await Promise.all([startDaemon({ env }), startDaemon({ env })]);
    for (const [index, daemon] of [one, two].entries()) {
      await joinHub(daemon, server.url, `gpu-${index}`);
      await enroll(daemon, 'laptop', laptop);
      await daemon.orchd('run', '-d', '-C', project, '--', 'true');
    }
  });
  afterAll(async () => {
    for (const daemon of [one, two]) await daemon?.close();
  });

  test('work is taken by one machine with a free place, and the next by the other one', async () => {
    const shown = async () =>
      (await laptop.client.call('hub.status', {})).machines.find(({ name }) => name === 'gpu-0');
    await expect.poll(async () => (await shown())?.labels, { timeout: 20_000 }).toEqual(['gpu']);
    const { name, starts, finish } = await worker(one, two);
    const flow = `GOAL far "Look" -> by: number, where WITH ${name} ON label:gpu`;
    const runs = [await run(flow), await run(flow), await run(flow)];
    await expect.poll(() => [...starts()].sort(), { timeout: 20_000 }).toEqual(['0', '1']);
    const machines = async () =>
      (await Promise.all(runs.map(({ id }) => runOf(id)))).map((part) => part?.machine).sort();
    await expect.poll(machines).toEqual(['gpu-0', 'gpu-1', 'label:gpu']); // one place each, so the third one waits
    finish();
    for (const { id } of runs) expect((await ended(id)).state).toBe('completed');
    expect(starts()).toHaveLength(3);
    await expect.poll(() => readStream(server.url, 'orchd_work')).toEqual([]);
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]);
  });

  test('a machine without the label, or a reply of the server, can neither take work nor tell its outcome', async () => {
    const { name, starts, finish } = await worker(one, two);
    const { id } = await run(`GOAL far "Look" -> by: number, where WITH ${name} ON label:gpu`);
    await expect.poll(starts, { timeout: 20_000 }).toHaveLength(1);
    const { run_id: runId = '', machine: taker } = (await runOf(id)) ?? {};
    const stranger = await connect({ servers: `127.0.0.1:${server.port}` });
    try {
      await jetstream(stranger).publish(`orchd.laptop.mail.taken.stranger.${runId}`, '');
      const forged = { output: { id: runId, state: 'completed', result_data: { by: 7, where: '/' } } };
      await jetstream(stranger).publish(`orchd.laptop.mail.outcome.stranger.${runId}`, JSON.stringify(forged));
      stranger.publish('orchd.stranger.events', '', { reply: `orchd.laptop.mail.taken.other.${runId}` });
      await stranger.flush();
      await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]);
      expect((await runOf(id))?.machine).toBe(taker);
      expect(
        (await laptop.client.call('hub.commands', {})).filter(({ id: sent }) => sent.includes(`withdraw_${runId}`)),
      ).toEqual([]);
    } finally {
      await stranger.close();
    }
    finish();
    const over = await ended(id);
    expect([over.state, valuesOf(over)['by'], starts().length]).toEqual(['completed', Number(starts()[0]), 1]);
  });

  test('a machine with labels that may start nothing says so, and an invalid label is refused', async () => {
    const idle = await startDaemon({ env: { ORCHD_HUB_LABELS: 'gpu' } });
    try {
      await joinHub(idle, server.url, 'idle');
      const { labels, labels_problem: problem } = await idle.client.call('hub.status', {});
      expect([labels, problem]).toEqual([[], 'hub.accept has no "start"']);
      expect((await idle.orchd('hub', 'status')).stdout).toContain('work cannot be taken: hub.accept has no "start"');
    } finally {
      await idle.close();
    }
    const { code, stderr } = await laptop.orchd('hub', 'config', '--label', 'build=g.p.u');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--label takes NAME=LABEL')]);
  });

  test('a machine that was killed goes on with its work when it is back soon', async () => {
    const { name, starts, finish } = await worker(one, two);
    const { id } = await run(`GOAL far "Look" -> by: number, where WITH ${name} ON label:gpu`);
    await expect.poll(starts, { timeout: 20_000 }).toHaveLength(1);
    const taker = starts()[0] === '0' ? one : two;
    await taker.crash();
    await taker.start();
    finish();
    expect([(await ended(id)).state, starts()]).toEqual(['completed', [expect.any(String)]]);
  });

  test('a daemon tells again what it has taken, so that its work can be cancelled', async () => {
    const { name, starts } = await worker(one, two);
    const { id } = await run(`GOAL far "Look" -> by: number, where WITH ${name} ON label:gpu`);
    await expect.poll(starts, { timeout: 20_000 }).toHaveLength(1);
    const taker = [one, two][Number(starts()[0])] as TestDaemon;
    await expect.poll(async () => (await runOf(id))?.machine).toMatch(/^gpu-/);
    // As if the daemon was killed after it had started the run, and before it could tell. Mail that is not acknowledged
    // would come again.
    await expect.poll(() => readStream(server.url, 'orchd_mail')).toEqual([]);
    await laptop.crash();
    const aggregate = laptop.paths.hubCommandsFile;
    const lines = readFileSync(aggregate, 'utf8').split('\n');
    writeFileSync(aggregate, lines.filter((line) => !line.includes('"kind":"taken"')).join('\n'));
    await laptop.start();
    await expect.poll(async () => (await runOf(id))?.machine).toBe('label:gpu'); // as soon as the hub is loaded
    await taker.crash();
    await taker.start();
    await expect.poll(async () => (await runOf(id))?.machine).toMatch(/^gpu-/);
    const runId = (await runOf(id))?.run_id ?? '';
    await laptop.json('workflow', 'cancel', id);
    await expect.poll(async () => (await taker.client.call('run.show', { run: runId })).state).toBe('cancelled');
  });

  test('another machine takes the work of one that died, and its result counts once', async () => {
    const { name, starts, finish } = await worker(one, two);
    const { id } = await run(`GOAL far "Look" -> by: number, where WITH ${name} ON label:gpu`);
    await expect.poll(starts, { timeout: 20_000 }).toHaveLength(1);
    const first = Number(starts()[0]);
    const taker = [one, two][first] as TestDaemon;
    await taker.crash();
    await expect.poll(starts, { timeout: 60_000 }).toEqual([`${first}`, `${1 - first}`]);
    await taker.start();
    const runId = (await runOf(id))?.run_id ?? '';
    // The first machine learns that another one has the run, and ends its own.
    const there = async () => (await taker.client.call('run.show', { run: runId })).state;
    await expect.poll(there, { timeout: 60_000 }).toBe('cancelled');
    finish();
    const over = await ended(id);
    expect([over.state, valuesOf(over)['by']]).toEqual(['completed', 1 - first]);
    await expect.poll(() => readStream(server.url, 'orchd_work'), { timeout: 20_000 }).toEqual([]);
  }, 180_000);

  test('work that was cancelled before a machine took it is never started', async () => {
    const { name, starts, finish } = await worker(one, two);
    const { id } = await run(`GOAL far "Look" -> by: number WITH ${name} ON label:rare`);
    await expect.poll(async () => (await readStream(server.url, 'orchd_work')).length).toBe(1);
    expect((await laptop.json<WorkflowRun>('workflow', 'cancel', id)).state).toBe('cancelled');
    finish();
    const env = { ORCHD_HUB_ACCEPT: 'read, answer, start', ORCHD_HUB_LABELS: 'rare' };
    const rare = await startDaemon({ env });
    try {
      await joinHub(rare, server.url, 'rare');
      await expect.poll(() => readStream(server.url, 'orchd_work'), { timeout: 20_000 }).toEqual([]);
      expect([starts(), await rare.client.call('run.list', {})]).toEqual([[], []]);
    } finally {
      await rare.close();
    }
  });
});
