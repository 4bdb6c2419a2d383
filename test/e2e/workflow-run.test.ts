/**
 * Tests `orchd workflow run | list | show | wait | resume | cancel` as a user runs them, in the foreground and
 * detached.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../src/cli/daemon/is-alive.js';
import type { WorkflowRun } from '../../src/protocol/index.js';
import { type CliResult, startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');

let daemon: TestDaemon;
let agent: ScriptedAgent;
const begun = new Set<ChildProcess>();
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  for (const child of begun) child.kill('SIGKILL');
  agent.release();
  for (const { id, ended_at } of await daemon.client.call('workflow.list', {})) {
    if (ended_at === null) await daemon.client.call('workflow.cancel', { workflow: id });
  }
  agent.close();
});

/** A running command in the agent's directory, with the agent's environment. */
interface Shell {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult>;
  /** Resolves when the output on standard error matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
}

function shell(...words: string[]): Shell {
  const child = spawn(process.execPath, [BIN, 'workflow', ...words], {
    cwd: agent.home,
    env: { ...daemon.env, ...agent.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  begun.add(child);
  let [stdout, stderr] = ['', ''];
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    stderr += text;
    for (const look of waiting) look();
  });
  const ended = new Promise<CliResult>((resolve) => {
    child.once('close', (code) => {
      begun.delete(child);
      resolve({ code, stdout, stderr });
    });
  });
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(stderr);
        if (found) resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`it has not said ${pattern}: ${stderr}`)));
    });
  return { child, ended, says };
}
const orchd = (...words: string[]): Promise<CliResult> => shell(...words).ended;
const write = (text: string): void => writeFileSync(join(agent.home, 'Agentfile'), text);
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const run = (...words: string[]): Shell => shell('run', '--adapter', 'claude', ...words);
/** Replaces ids and times, which differ in each run. */
const plain = (text: string): string =>
  text
    .replaceAll(/\b(wfl|run|itm|ses)_\w+/g, '$1_…')
    .replaceAll(/\d+\.\d s/g, '0.0 s')
    .replaceAll(/ +$/gm, '');
const idIn = (text: string): string => /wfl_\w+/.exec(text)?.[0] ?? '';

const REPORT = `NAME report
INPUT topic
AGENT researcher "Research $topic" -> findings
AGENT critic "Doubt $topic"
GOAL analyze "Analyze $topic" -> summary, score: number USING researcher, critic
GOAL praise "Praise $summary" WHEN $score > 9
GOAL last FROM prompts/last.md`;
function writeReport(): void {
  write(REPORT);
  mkdirSync(join(agent.home, 'prompts'));
  writeFileSync(join(agent.home, 'prompts/last.md'), 'Say goodbye to $summary\n');
  agent.replies(
    { when: 'Research tea', text: json({ findings: ['old', 'hot'] }) },
    { when: 'Doubt tea', text: 'Is it?' },
    { when: 'Synthesize', text: json({ summary: 'hot', score: 9 }) },
    { when: 'goodbye to hot', text: 'Goodbye.\nAnd good night.' },
  );
}

describe('orchd workflow run', () => {
  test('prints the progress on stderr and each result with its source on stdout', async () => {
    writeReport();
    const { code, stdout, stderr } = await run('--input', 'topic=tea').ended;
    expect(plain(stderr)).toBe(`wfl_… report: 3 steps; Ctrl-C cancels it
analyze running (researcher, critic)
analyze completed 0.0 s
praise skipped: its WHEN does not hold
last running
last completed 0.0 s
`);
    expect(stdout).toBe(`VARIABLE  FROM     VALUE
topic     INPUT    tea
summary   analyze  hot
score     analyze  9

last
  Goodbye.
  And good night.
`);
    expect(code).toBe(0);
  });

  test('--json prints the whole run and -q its id, and neither prints progress', async () => {
    writeReport();
    const whole = await run('--input', 'topic=tea', '--json').ended;
    expect(whole).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(whole.stdout)).toMatchObject({
      state: 'completed',
      name: 'report',
      adapter: 'claude',
      cwd: agent.home,
      jobs: 1,
      steps: [{ id: 'analyze', agents: ['researcher', 'critic'] }, { state: 'skipped' }, { agents: [] }],
      variables: [{ name: 'topic', step: null }, { name: 'summary', step: 'analyze' }, { value: 9 }],
    });
    write('INPUT topic\nGOAL a "Research $topic"');
    const quiet = await run('--input', '{"topic": "tea"}', '-q').ended;
    expect(quiet).toEqual({ code: 0, stdout: expect.stringMatching(/^wfl_\w+\n$/), stderr: '' });
  });

  test('prints the warnings of `check`, and the HTTP reply contains them', async () => {
    const agentfile = `GOAL a "${'long '.repeat(50)}"`;
    write(agentfile);
    agent.replies({ text: 'done' });
    const WARNING = /Agentfile:1:\d+: warning: the prompt of GOAL a has 250 characters/;
    for (const flags of [[], ['--dry-run'], ['-d']]) {
      const { code, stderr } = await run(...flags).ended;
      expect([code, stderr]).toEqual([0, expect.stringMatching(WARNING)]);
    }
    for (const flags of [[], ['--dry-run']]) {
      const { stdout, stderr } = await run('--json', ...flags).ended;
      expect([JSON.parse(stdout).warnings, stderr]).toMatchObject([[{ code: 'long_prompt', line: 1 }], '']);
    }
    const body = { agentfile, adapter: 'claude', cwd: agent.home, env: agent.env };
    const reply = await askHttp(daemon.paths.socket, 'POST', '/api/workflows', { body });
    await daemon.client.call('workflow.wait', { workflow: reply.body.id });
    expect(reply.body.warnings).toMatchObject([{ code: 'long_prompt', line: 1, file: null }]);
  });

  test('shortens long values and names the command that prints them completely', async () => {
    write('GOAL a "a" -> long\nGOAL b "b"');
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    agent.replies({ when: 'long', text: json({ long: `begin\n\u202e${'x'.repeat(300)}` }) }, { text: lines });
    const { stdout } = await run().ended;
    expect(stdout).toContain(`\nlong      a     begin ‹U+202E›${'x'.repeat(186)}…\n`);
    expect(stdout).toMatch(/\n {2}line 19\n {2}…\n\n`orchd workflow show wfl_\w+ --json` has all of it\n$/);
  });

  test('uses the profiles and blueprints of the project', async () => {
    const made = { name: 'plain', adapter: 'shell', args: ['echo', 'from the blueprint'] };
    mkdirSync(join(agent.home, '.orchd/agents/plain'), { recursive: true });
    writeFileSync(join(agent.home, '.orchd/agents/plain/agent.json'), JSON.stringify(made));
    writeFileSync(join(agent.home, '.orchd/config.toml'), '[profiles.fast]\nadapter = "claude"\nmodel = "quick"\n');
    write('GOAL a "a" REQUIRES "fast"\nGOAL b "b" WITH plain');
    const { code, stdout } = await orchd('run', '--json');
    const { steps }: WorkflowRun = JSON.parse(stdout);
    expect([code, steps.map(({ result }) => result?.toString().trim())]).toEqual([0, ['Done.', 'from the blueprint']]);
    expect(agent.calls()[0]?.args.join(' ')).toContain('--model quick');
  });

  test('exits with 1 on a failure, says why, and names the commands to inspect and resume it', async () => {
    write('GOAL a "first" -> x\nAGENT s "second $x" -> y: number\nGOAL b "third" -> z USING s');
    agent.replies({ when: 'first', text: json({ x: 1 }) }, { text: json({ y: 'none' }) });
    const { code, stdout, stderr } = await run().ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(plain(stderr)).toContain('\nb failed 0.0 s: agent s: Output validation failed after 1 retry');
    const [, id, runId] =
      /\norchd: workflow run (wfl_\w+) failed: goal b, agent s: .*\$\.y: .*\n {2}orchd runs show (run_\w+) +what it was asked/.exec(
        stderr,
      ) ?? [];
    expect(stderr).toMatch(new RegExp(`\n {2}orchd workflow resume ${id} {2}continues from there\n$`));
    expect((await daemon.orchd('runs', 'show', String(runId))).stdout).toMatch(/\nlast words\n.*\n {2}{"y":"none"}\n/);

    agent.replies({ when: 'Synthesize', text: json({ z: 3 }) }, { when: 'second', text: json({ y: 2 }) });
    const resumed = await orchd('resume', String(id));
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nz +b +3\n$/) });
    expect(plain(resumed.stderr)).toMatch(/^wfl_… .*\nb running \(s\)\nb completed 0\.0 s\n$/);
    expect(agent.calls().filter(({ stdin }) => stdin.includes('first'))).toHaveLength(1);
  });

  test("reports a failure before a step's run without a time, and suggests --from only if it helps", async () => {
    write('GOAL a "first" -> x\nGOAL b "second" FOREACH $y IN $x');
    agent.replies({ text: json({ x: 'none' }) });
    const { code, stderr } = await run().ended;
    expect([code, plain(stderr)]).toEqual([1, expect.stringContaining('\nb failed: $x is not a list\n')]);
    expect(plain(stderr)).toMatch(/\n {2}orchd workflow resume wfl_… --from STEP {2}runs an earlier step again.*\n$/);

    write('INPUT n DEFAULT "many"\nGOAL a "first" WHEN $n > 2');
    expect(plain((await run().ended).stderr)).toMatch(
      /\norchd: workflow run wfl_… failed: goal a: \$n is not a number.*\n$/,
    );
  });

  test('reports every problem that the daemon finds before anything runs', async () => {
    write('GOAL a "a" WITH nobody\nGOAL b "b" REQUIRES "fast"');
    const { code, stderr } = await run().ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^orchd: the workflow cannot run:\n {2}line 1: GOAL a: no blueprint .*\n {2}line 2: GOAL b: no profile/,
      ),
    ]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('on %s cancels the run, waits for its programs, and exits with %i', async (signal, exit) => {
    write('GOAL a "first" -> x\nGOAL b "second"');
    agent.replies({ when: 'first', hold: true });
    const { last_seq } = await daemon.client.call('daemon.status', {});
    const { child, ended, says } = run();
    const [, id = ''] = await says(/(wfl_\w+)[\s\S]*a running/);
    const { pid } = await daemon.event('session_started', undefined, last_seq);
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(
      `orchd: workflow run ${id} was cancelled\n  orchd workflow resume ${id}  continues from there\n`,
    );
    expect(await daemon.client.call('workflow.show', { workflow: id })).toMatchObject({ state: 'cancelled' });
    expect(isAlive(pid)).toBe(false);
  });

  test('prints questions of the workflow and its agents with the command that answers them', async () => {
    write('ASK "Ship it?" -> go: "yes" | "no"\nGOAL out "Release: $go"');
    agent.replies(
      { when: 'Release: yes', text: ':ORCHESTRATOR: QUESTION - Which one?' },
      { when: 'staging', text: 'released' },
    );
    const { ended, says } = run();
    const [, item = ''] = await says(
      /go waits for an answer:\n {2}│ Ship it\?\n\n {2}1 yes\n {2}2 no\n\n {2}orchd answer (itm_\w+) --option 1/,
    );
    const id = idIn((await orchd('list', '--state', 'awaiting_input')).stdout);
    const waiting = shell('wait', id);
    await waiting.says(new RegExp(`it waits for an answer:\n {2}│ Ship it\\?[\\s\\S]*${item}`));
    const shown = await orchd('show', id);
    expect(shown.stdout).toContain(`\nquestion\n  │ Ship it?\n  orchd answer ${item} TEXT\n`);
    expect((await daemon.orchd('answer', item, 'yes')).code).toBe(0);
    const [, second = ''] = await says(/out waits for an answer:\n {2}│ Which one\?\n\n {2}orchd answer (itm_\w+) "…"/);
    expect((await daemon.orchd('answer', second, 'staging')).code).toBe(0);
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, 'VARIABLE  FROM  VALUE\ngo        go    yes\n\nout\n  released\n']);
    expect(plain(stderr)).toContain('\ngo completed 0.0 s\nout running\n');
  });

  test('continues across a daemon crash', async () => {
    write('GOAL a "first" -> x\nGOAL b "second $x"');
    agent.replies({ when: 'first', text: json({ x: 1 }), hold: true }, { when: 'second 1', text: 'over' });
    const { ended, says } = run();
    await says(/a running/);
    await daemon.crash();
    await says(/the daemon is gone; orchd waits until it is back/);
    await daemon.start();
    agent.release();
    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, 'VARIABLE  FROM  VALUE\nx         a     1\n\nb\n  over\n']);
    expect(stderr.match(/^\w+ (?:running|completed)/gm)).toEqual([
      'a running',
      'a completed',
      'b running',
      'b completed',
    ]);
  });
});

describe('a detached workflow run', () => {
  test('can be listed, shown, waited for, and resumed from a step', async () => {
    write('NAME two\nAGENT s "side"\nGOAL a "first" -> x USING s\nGOAL b "second $x"');
    agent.replies(
      { when: 'Synthesize', text: json({ x: '茶' }) },
      { when: 'side', text: 'aside' },
      { text: 'over', hold: true },
    );
    const detached = await run('-d').ended;
    expect(detached).toEqual({ code: 0, stdout: expect.stringMatching(/^wfl_\w+\n$/), stderr: '' });
    const id = detached.stdout.trim();
    await daemon.event('workflow_step_changed', (event) => event.workflow_id === id && event.step === 'b');
    expect(plain((await orchd('list', '--limit', '1')).stdout)).toBe(
      `WORKFLOW        STATE    STEPS  TOOK   NAME  UNDER WAY, OR ERROR\nwfl_…  running  1/2    0.0 s  two   b\n`,
    );
    expect(await orchd('wait', id, '--timeout', '1ms')).toMatchObject({ code: 124 });
    agent.release();
    expect(await orchd('wait', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('x         a     茶\n') });

    agent.replies({ text: 'anew' });
    expect((await orchd('resume', id, '--from', 'b', '-d')).stdout).toBe(detached.stdout);
    await daemon.client.call('workflow.wait', { workflow: id });
    const { stdout } = await orchd('show', id);
    expect(plain(stdout)).toBe(`workflow  wfl_…
name      two
state     completed
in        ${agent.home}
agent     claude
took      0.0 s

STEP         STATE      TOOK   RUN OR ITEM
a            completed  0.0 s
  s          completed         run_…
  synthesis  completed         run_…
b            completed  0.0 s  run_…

VARIABLE  FROM  VALUE
x         a     茶

b
  anew
`);
    expect((await daemon.orchd('__complete', 'workflow', 'show', id.slice(0, 6))).stdout).toContain(id);
  });

  test('can be cancelled, and waiting for it exits with 1', async () => {
    write('GOAL a "first"');
    agent.replies({ hold: true });
    const before = agent.calls().length;
    const id = (await run('-d').ended).stdout.trim();
    const waiting = orchd('wait', id);
    await expect.poll(() => agent.calls().length).toBe(before + 1);
    expect(await orchd('cancel', id)).toEqual({ code: 0, stdout: `${id} cancelled\n`, stderr: '' });
    expect(await waiting).toMatchObject({ code: 1, stderr: expect.stringContaining(`run ${id} was cancelled\n`) });
    expect((await orchd('cancel', id)).code).toBe(4);
    const session = agent.calls().at(-1)?.env['ORCHD_SESSION_ID'] ?? '';
    expect(await daemon.client.call('session.show', { session })).toMatchObject({ state: 'exited', ended_by: 'cli' });
  });
});
