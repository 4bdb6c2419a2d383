/** Tests workflows that the daemon runs, over HTTP: goals as runs, questions in the inbox, daemon crashes. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Event, Item, WorkflowRun, WorkflowStep } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Ask, askHttp, type Reply } from '../harness/http.js';
import { createRandom, givenSeed } from '../harness/random.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

/** Number of workflows in the test with random crashes. */
const WORKFLOWS = Number(process.env['ORCHD_WORKFLOWS'] ?? 2);

const BIN = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon;
let agent: ScriptedAgent;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  agent.release();
  for (const { id, ended_at } of (await ask('GET', '/workflows')).body) {
    if (ended_at === null) await ask('POST', `/workflows/${id}/cancel`, { body: {} });
  }
  agent.close();
});

const ask = (method: string, path: string, how?: Ask) => askHttp(daemon.paths.socket, method, path, how);
const post = (agentfile: string, fields: object = {}): Promise<Reply> => {
  const body = { agentfile, adapter: 'claude', cwd: agent.home, env: agent.env, ...fields };
  return ask('POST', '/api/workflows', { body });
};
const begin = async (agentfile: string, fields: object = {}): Promise<WorkflowRun> => {
  const { status, body, text } = await post(agentfile, fields);
  if (status !== 201) throw new Error(text);
  return body;
};
const ended = async ({ id }: Pick<WorkflowRun, 'id'>): Promise<WorkflowRun> =>
  (await ask('GET', `/api/workflows/${id}/wait`)).body;
const doTo = ({ id }: Pick<WorkflowRun, 'id'>, what: string, body: object = {}) =>
  ask('POST', `/api/workflows/${id}/${what}`, { body });
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const valuesOf = ({ variables }: WorkflowRun): object =>
  Object.fromEntries(variables.map(({ name, value }) => [name, value]));
const questionOf = async ({ id }: WorkflowRun): Promise<Item> => {
  const { item_id } = await daemon.event('item_opened', ({ workflow_id }) => workflow_id === id);
  return (await ask('GET', `/api/inbox/${item_id}`)).body;
};

const REPORT = `NAME report
INPUT topic
AGENT researcher "Research $topic" -> findings
AGENT critic "Doubt $topic"
GOAL analyze "Analyze $topic" -> summary, score: number USING researcher, critic
GOAL write "Write about $summary" -> text
GOAL last "Say goodbye to $text"`;

describe('a workflow', () => {
  test('runs agents in parallel, combines their results, and passes values on as checked JSON', async () => {
    agent.replies(
      { when: 'Research tea', text: json({ findings: ['old', 'hot'] }) },
      { when: 'Doubt tea', text: 'Is it?' },
      { when: 'not match', text: json({ summary: 'hot', score: 9 }) },
      { when: 'Synthesize', text: json({ summary: 'hot', score: 'high' }) },
      { when: 'Write about hot', text: json({ text: 'Tea is hot.' }) },
      { when: 'goodbye to Tea is hot.', text: 'Goodbye.' },
    );
    const begun = await begin(REPORT, { input: { topic: 'tea' } });
    expect(begun).toMatchObject({ name: 'report', state: 'running', jobs: 1, error: null });
    const done = await ended(begun);
    expect(done).toMatchObject({ state: 'completed', error: null });
    expect(valuesOf(done)).toEqual({ topic: 'tea', summary: 'hot', score: 9, text: 'Tea is hot.' });
    expect(done.steps.map(({ state, runs, result }) => [state, runs.map((run) => run.agent), result])).toEqual([
      ['completed', ['researcher', 'critic', null], null],
      ['completed', [null], null],
      ['completed', [null], 'Goodbye.'],
    ]);
    const run = (await ask('GET', `/api/runs/${done.steps[0]?.runs[2]?.run_id}`)).body;
    expect(run).toMatchObject({ workflow_id: done.id, step_id: 'analyze', adapter: 'claude' });
    expect(done.steps[0]?.runs[2]?.session_id).toBe(run.session_id);
    const brief = (await ask('GET', `/api/workflows/${done.id}?brief=true`)).body;
    expect(brief).toEqual({
      ...done,
      variables: done.variables.map((one) => ({ ...one, value: String(one.value) })),
      steps: done.steps.with(0, { ...done.steps[0], values: { summary: 'hot', score: '9' } } as WorkflowStep),
    });
    // As in every run, one correction in the same conversation was requested.
    expect(run.attempts.map(({ reason }: { reason: string }) => reason)).toEqual(['start', 'retry']);
    expect(run.prompt).toContain('## researcher\n- findings: ["old","hot"]\n\n## critic\nIs it?\n');
    expect(done.variables.find(({ name }) => name === 'score')).toMatchObject({ step: 'analyze', run_ids: [run.id] });
    expect(readdirSync(daemon.paths.runsDir)).toEqual([]);
    const names = (await ask('GET', '/sessions?all=true')).body.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['analyze.researcher', 'analyze.critic', 'analyze', 'write']));
  });

  test('is refused with every reason before anything starts if it cannot run', async () => {
    const wrong = await post('GOAL a "a" -> x\nGOAL b "$y"\nGOAL c FROM c.md');
    expect(wrong).toMatchObject({ status: 422, body: { code: 'ORCHD_AGENTFILE' } });
    expect(wrong.body.details.problems.map(({ line }: { line: number }) => line)).toEqual([2, 3]);
    expect(await post('INPUT x\nINPUT y\nGOAL a "$x $y"', { input: { z: 1 } })).toMatchObject({
      status: 422,
      body: { code: 'ORCHD_INVALID', error: expect.stringMatching(/INPUT x must be given.*INPUT y.*no INPUT 'z'/) },
    });
    const programs = await post(
      'GOAL a "a" WITH nobody\nAGENT s "s" REQUIRES "fast"\nGOAL b "b" USING s\nGOAL c "c" REQUIRES "plain"',
      {
        profiles: { plain: { adapter: 'shell' } },
        adapter: 'none',
      },
    );
    expect(programs.status).toBe(422);
    expect(programs.body.details.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining("line 1: GOAL a: no blueprint 'nobody'"),
      expect.stringContaining("line 2: AGENT s: no profile 'fast' (plain)"),
      expect.stringContaining("line 3: GOAL b: no adapter 'none'"),
      expect.stringContaining("line 4: GOAL c: the adapter shell takes its program from a blueprint's args"),
    ]);
    const absent = await post('GOAL a "a"', { env: { PATH: '/nowhere' } });
    expect(absent.body).toMatchObject({
      code: 'ORCHD_INVALID',
      error: expect.stringContaining('command not found: claude'),
    });
    expect(await post('NAME x')).toMatchObject({ status: 422, body: { code: 'ORCHD_AGENTFILE' } });
    expect((await ask('GET', '/workflows')).body.filter(({ ended_at }: WorkflowRun) => ended_at === null)).toEqual([]);
    expect(agent.calls()).toEqual([]);
  });

  test("takes a goal's program from its blueprint, its profile or the run's options", async () => {
    await ask('POST', '/agents', {
      body: {
        name: 'scorer',
        output_schema: { type: 'object' },
        adapter: 'shell',
        args: ['echo', json({ score: 7, more: 1 })],
      },
    });
    const text = `GOAL a "a" -> score WITH scorer
GOAL b "b" REQUIRES "plain"
GOAL c "c"
GOAL d "d" -> missing WITH scorer RETRY 1`;
    agent.replies({ text: 'from claude' });
    const profiles = { plain: { model: 'fast' } };
    const done = await ended(await begin(text, { profiles, model: 'deep' }));
    const runs = await Promise.all(
      done.steps.map(async ({ runs: [one] }) => (await ask('GET', `/api/runs/${one?.run_id}`)).body),
    );
    expect(runs.map(({ adapter, model }) => [adapter, model])).toEqual([
      ['shell', null],
      ['claude', 'fast'],
      ['claude', 'deep'],
      ['shell', null],
    ]);
    expect(done).toMatchObject({ state: 'failed', error: { step: 'd', field: 'missing' } });
    expect(done.error?.message).toBe('goal d: the output missing is declared, and it did not return it');
    expect(done.steps[3]?.runs).toHaveLength(2);
  });

  test('asks the user once in the inbox and accepts only one of the options', async () => {
    agent.replies({ when: 'Build', text: json({ version: '1.10' }) }, { when: 'Release', text: 'released' });
    const begun = await begin(
      'GOAL build "Build" -> version\nASK "Ship $version?" -> go: "yes" | "no"\nGOAL out "Release $go"',
    );
    const item = await questionOf(begun);
    expect(item).toMatchObject({
      session_name: 'workflow',
      type: 'QUESTION',
      data: { question: 'Ship 1.10?', options: ['yes', 'no'] },
      workflow_id: begun.id,
    });
    expect((await ask('GET', `/workflows/${begun.id}`)).body).toMatchObject({ state: 'awaiting_input' });
    expect(await ask('POST', `/api/inbox/${item.id}/answer`, { body: { text: 'perhaps' } })).toMatchObject({
      status: 422,
      body: { error: 'the workflow takes one of its options: yes, no' },
    });
    expect(await ask('POST', `/api/sessions/${item.session_id}/remove`, { body: {} })).toMatchObject({
      body: { code: 'ORCHD_WORKFLOW_STATE' },
    });
    expect((await ask('POST', `/api/inbox/${item.id}/answer`, { body: { option: 1 } })).status).toBe(200);
    const done = await ended(begun);
    expect(done).toMatchObject({ state: 'completed', steps: [{}, { item_id: item.id }, { result: 'released' }] });
    expect(valuesOf(done)).toEqual({ version: '1.10', go: 'yes' });
    const explained = (await ask('GET', `/api/explain/${item.id}`)).body;
    expect(JSON.stringify(explained)).toContain(`Workflow run ${begun.id} has come to an ASK.`);
    expect((await ask('GET', `/sessions/${item.session_id}`)).body).toMatchObject({
      state: 'exited',
      workflow_id: begun.id,
      open_items: 0,
    });
  });

  test("waits for the user if a goal's agent asks, and continues with the answer", async () => {
    const question = { type: 'QUESTION', data: { question: 'Where to?' } };
    agent.replies(
      { when: 'to staging', text: json({ place: 'staging' }) },
      { when: 'Deploy', text: `\`\`\`orchestrator-message\n${JSON.stringify(question)}\n\`\`\`` },
    );
    const begun = await begin('GOAL deploy "Deploy it" -> place');
    const { item_ids } = await daemon.event('run_asking', ({ workflow_id }) => workflow_id === begun.id);
    await daemon.event(
      'workflow_state_changed',
      (event) => event.workflow_id === begun.id && event.state === 'awaiting_input',
    );
    await ask('POST', `/api/inbox/${item_ids[0]}/answer`, { body: { text: 'to staging' } });
    expect(valuesOf(await ended(begun))).toEqual({ place: 'staging' });
  });

  test('ends its programs and question when cancelled, and resumes without the completed goals', async () => {
    agent.replies(
      { when: 'first', text: json({ x: 1 }) },
      { when: 'second', text: json({ y: 2 }), hold: true },
      { when: 'third', text: 'over' },
    );
    const begun = await begin('GOAL a "first" -> x\nGOAL b "second" -> y\nASK "Well?" -> z\nGOAL c "third $z"', {
      jobs: 2,
    });
    const item = await questionOf(begun);
    await daemon.event('session_started', ({ name }) => name === 'b');
    const cancelled = (await doTo(begun, 'cancel')).body;
    expect(cancelled).toMatchObject({ state: 'cancelled', error: { error: 'WorkflowCancelled' } });
    expect(cancelled.steps.map(({ state }: { state: string }) => state)).toEqual([
      'completed',
      'cancelled',
      'cancelled',
      'waiting',
    ]);
    const [, b] = cancelled.steps;
    expect((await ask('GET', `/runs/${b.runs[0].run_id}`)).body).toMatchObject({ state: 'cancelled' });
    expect((await ask('GET', `/api/inbox/${item.id}`)).body).toMatchObject({ state: 'withdrawn' });
    expect(await doTo(begun, 'cancel')).toMatchObject({ status: 409, body: { code: 'ORCHD_WORKFLOW_STATE' } });
    expect(await ask('POST', `/runs/${b.runs[0].run_id}/retry`, { body: {} })).toMatchObject({ status: 422 });
    agent.release();
    expect((await doTo(begun, 'resume', { env: agent.env })).body).toMatchObject({ state: 'running' });
    const { item_id } = await daemon.event(
      'item_opened',
      (event) => event.workflow_id === begun.id && event.item_id !== item.id,
    );
    await ask('POST', `/api/inbox/${item_id}/answer`, { body: { text: 'good' } });
    expect(await ended(begun)).toMatchObject({ state: 'completed', ended_at: expect.any(String) });
    expect(agent.calls().filter(({ stdin }) => stdin.includes('first'))).toHaveLength(1);
    expect(await doTo(begun, 'resume')).toMatchObject({
      status: 409,
      body: { error: `workflow run ${begun.id} is completed: \`--from GOAL\` runs it again from there` },
    });
    expect(await doTo(begun, 'resume', { from: 'nowhere' })).toMatchObject({ status: 422 });
    await doTo(begun, 'resume', { from: 'c', env: agent.env });
    expect(await ended(begun)).toMatchObject({ state: 'completed' });
    expect(agent.calls().filter(({ stdin }) => stdin.includes('third'))).toHaveLength(2);
  });

  test('leaves no program running when it is cancelled immediately', async () => {
    agent.replies({ text: 'x', hold: true });
    const all = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const begun = await begin('AGENT a "a"\nAGENT b "b"\nGOAL c "c" USING a, b');
        return (await doTo(begun, 'cancel')).body as WorkflowRun;
      }),
    );
    const runs = all.flatMap(({ steps: [step] }) => step?.runs ?? []);
    expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'cancelled'));
    for (const { run_id } of runs) {
      const { status, body } = await ask('GET', `/runs/${run_id}`);
      expect([200, 404]).toContain(status); // The run may never have been created.
      if (status === 200) expect(body).toMatchObject({ state: 'cancelled' });
    }
  });

  test('started by an agent gets a slot of its own, and the nesting depth is limited', async () => {
    const one = await startDaemon({ env: { ORCHD_RUNS_PARALLEL: '1', ORCHD_RUNS_MAX_DEPTH: '2' } });
    try {
      const script = join(agent.home, 'nested.sh');
      const inner = `${process.execPath} ${BIN} workflow run -q inner.agentfile`;
      writeFileSync(
        script,
        `#!/bin/sh\ncd ${agent.home}\ncase "$(cat)" in\n*outer*) ${inner} ;;\n*) echo well ;;\nesac\n`,
        {
          mode: 0o755,
        },
      );
      const forever = join(agent.home, 'forever.sh');
      writeFileSync(forever, `#!/bin/sh\ncd ${agent.home}\n${process.execPath} ${BIN} workflow run deep.agentfile\n`, {
        mode: 0o755,
      });
      await one.client.call('blueprint.create', { name: 'nested', adapter: 'shell', args: [script] });
      await one.client.call('blueprint.create', { name: 'forever', adapter: 'shell', args: [forever] });
      writeFileSync(join(agent.home, 'inner.agentfile'), 'GOAL x "one" WITH nested\nGOAL y "two" WITH nested\n');
      writeFileSync(join(agent.home, 'deep.agentfile'), 'GOAL deeper "deeper" WITH forever\n');
      const place = { cwd: agent.home, env: one.env as Record<string, string> };
      const run = async (agentfile: string): Promise<WorkflowRun> => {
        const { id } = await one.client.call('workflow.run', { agentfile, ...place });
        return one.client.call('workflow.wait', { workflow: id });
      };
      expect(await run('GOAL a "outer" WITH nested')).toMatchObject({ state: 'completed' });
      expect(await run('GOAL deeper "deeper" WITH forever')).toMatchObject({ state: 'failed' });
      const all = await one.client.call('workflow.list', {});
      expect(all.map(({ state }) => state)).toEqual(['completed', 'completed', 'failed', 'failed', 'failed']);
    } finally {
      await one.close();
    }
  });

  test("lets a goal's agent start other agents, which are its children in the tree", async () => {
    const child = { tool: 'spawn_agent', role: 'researcher', task: 'Find the origins', outputs: ['timeline'] };
    agent.replies(
      { when: 'Find the origins', text: json({ timeline: ['old'] }), hold: true },
      { when: 'Lead', tools: [child], text: json({ x: 1 }) },
    );
    const begun = await begin('GOAL lead "Lead the research" -> x');
    const { session_id: own } = await daemon.event('session_started', ({ name }) => name === 'lead');
    const { name } = await daemon.event('session_started', ({ parent_session_id }) => parent_session_id === own);
    expect((await daemon.orchd('ls', '--tree')).stdout).toMatch(new RegExp(`lead .*\n.*└.*${name} `));
    agent.release();
    expect(valuesOf(await ended(begun))).toEqual({ x: 1 });
    const lead = agent.calls().find(({ stdin }) => stdin.includes('Lead'));
    expect(lead?.returned).toMatchObject([{ status: 200, body: { ok: true, result: { timeline: ['old'] } } }]);
  });

  test('fails with AskTimeoutError after the TIMEOUT of its question', async () => {
    const begun = await begin('ASK "Anybody?" -> who TIMEOUT 50ms\nGOAL a "$who"');
    expect(await ended(begun)).toMatchObject({ state: 'failed', error: { error: 'AskTimeoutError', step: 'who' } });
    const { id } = await questionOf(begun);
    await daemon.event('item_withdrawn', ({ item_id, reason }) => item_id === id && reason === 'workflow_ended');
    expect(await questionOf(begun)).toMatchObject({ state: 'withdrawn' });
  });
});

describe('a daemon that is killed', () => {
  const restart = async (): Promise<void> => {
    await daemon.crash();
    // A slow start prints what the daemon does.
    await daemon.start();
  };
  const TEXT = `INPUT topic DEFAULT "tea"
AGENT r "Research $topic" -> findings
AGENT s "Doubt $topic"
GOAL a "Analyze $topic" -> summary USING r, s
ASK "Good: $summary?" -> go: "yes" | "no"
GOAL b "Write $go" -> text`;
  /** The points at which the daemon is killed. */
  const STEPS: readonly (readonly [string, (event: Event) => boolean])[] = [
    ['the workflow was created', ({ event_type }) => event_type === 'workflow_created'],
    ['the agents are starting', ({ event_type }) => event_type === 'run_attempt_started'],
    ['an agent is running', ({ event_type }) => event_type === 'session_started'],
    ['an agent has its result', ({ event_type }) => event_type === 'result'],
    [
      'the workflow is about to ask',
      (event) => event.event_type === 'workflow_step_changed' && event.state === 'asking',
    ],
    ['the workflow has asked', (event) => event.event_type === 'item_opened' && event.workflow_id !== undefined],
    ['the question was answered', (event) => event.event_type === 'item_answered'],
    ['the last goal begins', (event) => event.event_type === 'workflow_step_changed' && event.step === 'b'],
  ];

  test.each(STEPS)('when %s continues the workflow and runs and asks nothing twice', async (name, fits) => {
    agent.replies(
      { when: 'Research', text: json({ findings: 1 }) },
      { when: 'Doubt', text: 'no' },
      { when: 'Synthesize', text: json({ summary: 'fine' }) },
      { when: 'Write yes', text: json({ text: 'done' }) },
    );
    const { last_seq: since } = await daemon.client.call('daemon.status', {});
    const begun = await begin(TEXT);
    const answer = async (): Promise<void> => {
      const item = await questionOf(begun);
      if (item.state === 'open') await ask('POST', `/api/inbox/${item.id}/answer`, { body: { option: 1 } });
    };
    const isLate = name === 'the question was answered' || name === 'the last goal begins';
    // The daemon may be killed before it replies.
    const answered = isLate ? answer().catch(() => undefined) : undefined;
    for await (const event of daemon.client.events({ since, follow: true })) if (fits(event as Event)) break;
    await answered;
    await restart();
    await answer();
    const done = await ended(begun);
    expect(done).toMatchObject({ state: 'completed', error: null });
    expect(valuesOf(done)).toEqual({ topic: 'tea', summary: 'fine', go: 'yes', text: 'done' });
    expect(
      agent
        .calls()
        .map(({ stdin }) => stdin.split(' ')[0]?.trim())
        .sort(),
    ).toEqual(['Analyze', 'Doubt', 'Research', 'Write']);
    const inbox: Item[] = (await ask('GET', '/api/inbox?all=true')).body;
    expect(inbox.filter(({ workflow_id }) => workflow_id === begun.id)).toHaveLength(1);
  });

  test(`repeatedly completes each of ${WORKFLOWS} workflows without asking twice`, async () => {
    const random = createRandom(givenSeed());
    agent.replies(
      { when: 'List', text: json({ parts: ['one', 'two', 'three'] }) },
      { when: 'Synthesize', text: json({ verdict: 'good' }) },
      { when: 'Read', text: 'It is read.' },
      { when: 'Sum', text: 'All good.' },
    );
    const text = `GOAL list "List" -> parts
AGENT reader "Read $part"
GOAL review "Review $part" -> verdict FOREACH $part IN $parts USING reader
GOAL sum "Sum up $verdict"`;
    const begun = await Promise.all(Array.from({ length: WORKFLOWS }, () => begin(text, { jobs: 2 })));
    const isOpen = async (): Promise<boolean> => {
      const runs = await Promise.all(begun.map(({ id }) => daemon.client.call('workflow.show', { workflow: id })));
      return runs.some(({ ended_at }) => ended_at === null);
    };
    for (let kills = 0; await isOpen(); kills++) {
      expect(kills).toBeLessThan(40 * WORKFLOWS);
      const { last_seq: since } = await daemon.client.call('daemon.status', {});
      const enough = since + 3 + random.below(25);
      const calm = new AbortController();
      const all = begun.map(({ id }) => daemon.client.call('workflow.wait', { workflow: id }).catch(() => undefined));
      void Promise.all(all).then(() => calm.abort()); // No more events may come.
      try {
        for await (const event of daemon.client.events({ since, follow: true, signal: calm.signal }))
          if (event.event_type !== 'gap' && event.seq >= enough) break;
      } catch (error) {
        if (!calm.signal.aborted) throw error;
      }
      await restart();
    }
    for (const { id } of begun) {
      const done = await daemon.client.call('workflow.show', { workflow: id });
      expect(done).toMatchObject({ state: 'completed', error: null });
      expect(done.steps.map(({ runs }) => runs.length)).toEqual([1, 6, 1]);
      expect(valuesOf(done)).toEqual({ parts: ['one', 'two', 'three'], verdict: ['good', 'good', 'good'] });
    }
    expect(agent.calls()).toHaveLength(8 * WORKFLOWS);
  });
});

test('prune removes an old workflow run with its runs and keeps one that still waits', async () => {
  agent.replies({ text: 'x' });
  const open = await begin('GOAL a "a"\nASK "Well?" -> b');
  const item = await questionOf(open);
  const over = await ended(await begin('GOAL a "a"'));
  const [runOfOpen, runOfOver] = [(await ask('GET', `/workflows/${open.id}`)).body.steps[0], over.steps[0]].map(
    (step) => step.runs[0].run_id,
  );
  await daemon.client.call('daemon.prune', { older_than_ms: 0 });
  const status = async (path: string): Promise<number> => (await ask('GET', path)).status;
  expect([await status(`/workflows/${over.id}`), await status(`/runs/${runOfOver}`)]).toEqual([404, 404]);
  expect([await status(`/workflows/${open.id}`), await status(`/runs/${runOfOpen}`)]).toEqual([200, 200]);
  expect((await ask('POST', `/api/inbox/${item.id}/answer`, { body: { text: 'good' } })).status).toBe(200);
  expect(valuesOf(await ended(open))).toEqual({ b: 'good' });
});

test('a workflow run that is resumed during a prune is either kept or was removed before', async () => {
  agent.replies({ text: 'x' });
  for (let round = 0; round < 5; round++) {
    await ended(await begin('GOAL a "a"'));
    const { id } = await ended(await begin('GOAL a "a"'));
    const pruned = daemon.client.call('daemon.prune', { older_than_ms: 0 });
    const { status } = await ask('POST', `/workflows/${id}/resume`, { body: { from: 'a', env: agent.env } });
    await pruned;
    expect((await ask('GET', `/workflows/${id}`)).status).toBe(status);
  }
});
