/** Tests workflows in the TUI, in a real pty against the real daemon: their steps, questions and ends. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WorkflowRun } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';
import { openTerminal, type Person } from './person.js';
import { timeToRead } from './time-to-read.js';

let daemon: TestDaemon;
let agent: ScriptedAgent;
let person: Person | null = null;
beforeAll(async () => {
  daemon = await startDaemon();
});
beforeEach(() => {
  agent = installScriptedAgent('claude');
});
afterEach(async () => {
  person?.close();
  agent.release();
  for (const { id, ended_at } of await daemon.client.call('workflow.list', {}))
    if (ended_at === null) await daemon.client.call('workflow.cancel', { workflow: id });
  agent.close();
});
afterAll(() => daemon.close());

const begin = (agentfile: string, jobs = 1): Promise<WorkflowRun> =>
  daemon.client.call('workflow.run', { agentfile, adapter: 'claude', cwd: agent.home, env: agent.env, jobs });
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;

test('a workflow is shown as a table of steps, across a daemon restart, and its question is answered', async () => {
  agent.replies(
    { when: 'Analyze', text: json({ summary: 'hot 日本' }), hold: true },
    { when: 'Draw', text: json({ picture: 'a cup' }) },
    { when: 'Write yes', text: 'Tea is hot.' },
  );
  person = openTerminal('orchd start', { env: daemon.env });
  await person.sees('Nothing waits for you.');
  await begin(
    'NAME report\nGOAL analyze "Analyze" -> summary\nGOAL draw "Draw" -> picture\nASK "Good: $summary?" -> ' +
      'go: "yes" | "no"\nGOAL write "Write $go"',
    2,
  );
  await person.sees('1 workflow');
  person.types('w');
  await person.sees(/▸ running\s+report/);
  person.types('\r');
  await person.sees(/▸ running {4}analyze[\s\S]*✓ completed {2}draw .*picture: a cup/);
  await person.sees(/╭─ ▸ analyze ─[\s\S]*"type":"system"/); // The screen of the running step.
  expect((await daemon.orchd('restart')).code).toBe(0);
  agent.release();
  await person.sees(/✓ completed {2}analyze .*summary: hot 日本/);
  await person.sees(/› 2 {4}\? asking {5}go +\d:\d\d {2}Good: hot 日本\?/);
  person.types('\r');
  await person.sees(/workflow +report · wfl_/);
  await timeToRead(person);
  person.types('1');
  await person.sees('“yes”');
  person.types('\x1b');
  await person.sees(/✓ completed · 4 of 4 done[\s\S]*✓ completed {2}write .*Tea is hot\./);
  person.types('q');
  await person.sees(/✓ completed\s+report\s+4\/4/);
  person.types('qf');
  await person.sees(/report\s+workflow completed/);
  person.types('\x03');
  expect(await person.exited).toBe(0);
});

test('a workflow is cancelled after y and resumed, also from a completed step', async () => {
  agent.replies({ when: 'first', text: json({ x: 1 }) }, { when: 'second', text: 'over', hold: true });
  const calls = (what: string): number => agent.calls().filter(({ stdin }) => stdin.includes(what)).length;
  const { id } = await begin('NAME long\nGOAL a "first" -> x\nGOAL b "second"');
  person = openTerminal('orchd start', { env: daemon.env });
  await person.sees('w workflows');
  person.types('w\r');
  await person.sees(/✓ completed {2}a[\s\S]*› ▸ running {4}b/);
  person.types('K');
  await person.sees('Cancel long and all that it started?');
  person.types('n');
  await person.sees('K cancel it');
  person.types('Ky');
  await person.sees(/○ cancelled · 1 of 2 done[\s\S]*long is cancelled/);
  expect((await daemon.client.call('workflow.show', { workflow: id })).state).toBe('cancelled');
  person.types('r');
  await person.sees(/▸ running · 1 of 2 done[\s\S]*▸ running {4}b/);
  await expect.poll(() => calls('second')).toBe(2);
  person.types('Ky');
  await person.sees(/○ cancelled · 1 of 2 done/);
  expect(calls('first')).toBe(1);
  person.types('\x1b[HR');
  await person.sees('Run a of long and all after it again?');
  person.types('y');
  await person.sees(/▸ running[\s\S]*▸ running {4}b/);
  agent.release();
  await person.sees(/✓ completed · 2 of 2 done/);
  expect(calls('first')).toBe(2);
  person.types('q/long');
  await person.sees('workflows with: long');
  person.types('\r');
  await person.sees(/Workflows · 1 of \d+ with “long”[\s\S]*✓ completed\s+long/);
});

test('plain mode reports a workflow step by step', async () => {
  agent.replies({ when: 'first', text: json({ x: 'hot' }) }, { when: 'second', text: 'over', hold: true });
  person = openTerminal('TERM=dumb orchd start; echo left', { env: daemon.env });
  await person.sees('orchd> ');
  await begin('NAME words\nGOAL a "first" -> x\nASK "Well?" -> y\nGOAL b "second"');
  await person.sees(
    /Workflow words runs: 3 steps\.[\s\S]*Workflow words: a completed\.[\s\S]*1: question from words: Well\?/,
  );
  person.types('answer 1 good\r');
  await person.sees(/Workflow words: b running\.\norchd>/);
  person.types('steps words\r');
  await person.sees(/a: completed\nx: hot\ny: completed\ny: good\nb: running/);
  person.types('cancel words\r');
  await person.sees('Type yes to cancel words');
  person.types('yes\r');
  await person.sees(/Workflow words cancelled\./);
  person.types('workflows\r');
  await person.sees(/words: cancelled, 2 of 3 done/);
});
