/** Tests the usage that agents record: it is counted once, shown everywhere, and compared with a budget. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type FakeClaude, installFakeClaude } from '../harness/fake-claude.js';

let daemon: TestDaemon;
let claude: FakeClaude;
beforeEach(async () => {
  daemon = await startDaemon({ env: { ORCHD_BUDGET_SESSION_USD: '0.5' } });
  claude = installFakeClaude();
});
afterEach(async () => {
  await daemon.close();
  claude.close();
});

const usageOf = async ({ id }: Session) => (await daemon.client.call('session.show', { session: id })).usage;
const send = (session: Session, text: string): Promise<unknown> =>
  daemon.client.call('session.send', { session: session.id, text, wait_ms: 0 });
const used = (requests: number) => ({
  input_tokens: 100 * requests,
  output_tokens: 5 * requests,
  cached_input_tokens: 90 * requests,
  cost_usd: requests / 2,
  turns: requests,
});

test("each request is counted once, also across a daemon crash and the program's exit", async () => {
  const session = await daemon.json<Session>('run', '-d', '--json', ...claude.flags, '--', 'claude');
  expect(await usageOf(session)).toBeUndefined();
  await send(session, 'one');
  const first = await daemon.event('session_usage_changed', (event) => event.session_id === session.id);
  expect(first.usage).toEqual(used(1));
  await daemon.crash();
  await daemon.start();
  expect(await usageOf(session)).toEqual(used(1));
  await send(session, 'bye');
  await vi.waitFor(async () => expect(await usageOf(session)).toEqual(used(3)), { timeout: 20_000 });
  const { stdout } = await daemon.orchd('ls');
  expect(stdout).toMatch(/^ID +NAME +STATE +OPEN +COST/m);
  expect(stdout).toMatch(/ \$1\.50 /);
  const shown = await daemon.orchd('show', session.id);
  expect(shown.stdout).toMatch(/^usage +\$1\.50, 300 tokens in \(270 cached\), 15 out, 3 turns$/m);
  expect((await daemon.orchd('metrics')).stdout).toMatch(/^used +\$1\.00, 200 tokens in \(180 cached\), 10 out$/m);
  const { families } = await daemon.json<{ families: { name: string; samples: { value: number }[] }[] }>('metrics');
  expect(families.find(({ name }) => name === 'orchd_cost_dollars_total')?.samples).toMatchObject([{ value: 1 }]);
});

test('a used-up budget opens an item, and the session continues', async () => {
  const session = await daemon.json<Session>('run', '-d', '--json', ...claude.flags, '--', 'claude');
  await send(session, 'one');
  const item = await daemon.openItem(session);
  expect(item).toMatchObject({ type: 'attention', data: { source: 'budget' } });
  expect((await daemon.orchd('inbox')).stdout).toContain('It has cost $0.50, and its budget is $0.50');
  expect((await daemon.orchd('explain', item.id)).stdout).toContain('The agent’s own records name its requests');
  expect((await daemon.orchd('answer', item.id, '--decline')).code).toBe(0);
  expect(await daemon.client.call('inbox.list', {})).toEqual([]);
  await send(session, 'bye');
  await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
});

test('ls shows the branch and the size of the changes of a session in a worktree', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'orchd-sizes-')));
  const repository = join(folder, 'proj');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: repository });
  mkdirSync(repository);
  git('init', '--quiet');
  writeFileSync(join(repository, 'a'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  await daemon.orchd('run', '-d', '-C', repository, '--worktree', 'fix', '--', 'cat');
  await daemon.orchd('run', '-d', '-C', repository, '--name', 'main', '--', 'cat');
  const { cwd } = await daemon.client.call('session.show', { session: 'fix' });
  writeFileSync(join(cwd, 'a'), 'two\nthree\n');
  writeFileSync(join(cwd, 'new'), 'new\n');
  // A list waits for git half a second at most.
  const list = async () => (await daemon.orchd('ls')).stdout;
  await expect.poll(list).toMatch(/^ID +NAME +STATE +OPEN +BRANCH/m);
  const stdout = await list();
  expect(stdout).toMatch(/ fix .* fix \+3 −1 /);
  expect(stdout).not.toMatch(/ main .* main /);
  rmSync(folder, { recursive: true, force: true });
});

test('`status --line` prints sessions and open items on one line, or that no daemon runs', async () => {
  const line = async () => (await daemon.orchd('status', '--line')).stdout;
  expect(await line()).toBe('0 sessions\n');
  const session = await daemon.json<Session>('run', '-d', '--json', '--name', 'agent', ...claude.flags, '--', 'claude');
  await send(session, 'one');
  await daemon.openItem(session);
  expect(await line()).toBe('1 session · 1 open · agent\n');
  await daemon.orchd('stop');
  expect(await daemon.orchd('status', '--line')).toMatchObject({ code: 0, stdout: 'orchd: no daemon\n' });
});
