/** Tests tasks in a browser: planned, questioned, answered, done and retried, with scripted agents in a real daemon. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BOTH_THEMES, chromiumPath, expectAccessible, newPage, signIn, useDashboard } from '../harness/browser.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: 'Count in **two** steps',
  requirements: ['It counts'],
  acceptanceCriteria: ['npm test passes'],
  plan: ['Write it', 'Try it'],
};
const QUESTIONS = {
  tool: 'planner-output',
  type: 'questions',
  questions: ['Up to which **number**?', '<img src=x onerror="globalThis.ran = 1">Which language?'],
};
const REPORT = {
  tool: 'completion-report',
  summary: 'It counts',
  filesChanged: ['src/count.ts'],
  commitHash: 'abc123',
};

describe.skipIf(chromiumPath === null)('the tasks page', () => {
  const web = useDashboard();
  let agent: ScriptedAgent;
  beforeEach(async () => {
    agent = installScriptedAgent();
    const program = { adapter: 'shell', args: ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file] };
    await web.daemon.client.call('blueprint.create', { name: 'task-validator', ...program });
    await web.daemon.client.call('blueprint.create', { name: 'coder', ...program });
  });
  afterEach(async () => {
    agent.release();
    for (const { id, ended_at } of await web.daemon.client.call('task.list', {}))
      if (ended_at === null) await web.daemon.client.call('task.cancel', { task: id });
    for (const name of ['task-validator', 'coder']) await web.daemon.client.call('blueprint.delete', { name });
    agent.close();
  });
  const column = (title: string) => web.page.getByRole('region', { name: title, exact: true });
  const view = (state: string) => web.page.locator(`.task[data-state="${state}"]`);

  test('a task is created, planned, answered and completed on the page', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'tasks');
    await page.getByText('A task is planned before it is done').waitFor();
    await expectAccessible(page);
    agent.replies(
      { when: 'Count in', tools: [REPORT], text: 'done' }, // This prompt contains the plan.
      { when: 'ten million', tools: [PLAN], text: 'planned' },
      { tools: [QUESTIONS], text: 'I ask' },
    );
    await page.keyboard.press('n');
    await page.getByLabel('What should be done?').fill('Make it count');
    await page.getByLabel('Folder').fill(agent.home);
    await page.getByLabel('Agent', { exact: true }).selectOption('coder');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the task' }).click();
    await view('awaiting_input').waitFor();
    const asked = page.getByRole('region', { name: /^Question \d of \d/ });
    await asked.nth(1).waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await expectAccessible(page);
    await asked.first().getByRole('textbox').fill('ten million');
    await asked.first().getByRole('button', { name: 'Send answer' }).click();
    const language = asked.filter({ hasText: 'Which language?' });
    await language.getByRole('button', { name: 'Decline' }).click();
    await language.getByRole('button', { name: 'Decline it' }).click();
    await view('planned').waitFor();
    await page.getByRole('region', { name: 'Plan', exact: true }).getByText('npm test passes').waitFor();
    const answered = page.getByRole('region', { name: 'Answered questions' });
    expect(await answered.locator('dd').allInnerTexts()).toEqual(['ten million', 'declined: the planner decided']);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await view('completed').waitFor();
    await page.getByText('src/count.ts').waitFor();
    await page.getByText('commit abc123').waitFor();
    const boxes = await Promise.all(
      [1, 2, 3].map((number) => page.getByRole('article', { name: `Attempt ${number}` }).boundingBox()),
    );
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1); // side by side
    await expect
      .poll(() => page.locator('.history-event').allInnerTexts())
      .toEqual([
        'created',
        'planning started',
        'planner output submitted',
        'questions asked',
        'answered',
        'answered',
        'planning started',
        'planner output submitted',
        'planned',
        'started',
        'completion report submitted',
        'completed',
      ]);
    await expectAccessible(page, BOTH_THEMES);
  });

  test('the board updates itself, a failed task is retried, and a running one is cancelled', async () => {
    const { browser, daemon, page } = web;
    const reader = await browser.newContext(); // Two browsers, so that each has its own token.
    const other = await newPage(reader);
    await Promise.all([signIn(page, daemon, 'tasks'), signIn(other, daemon, 'tasks', { role: 'read' })]);
    agent.replies({ tools: [{ tool: 'planner-output', type: 'error', error: 'there is nothing to count' }] });
    const { id } = await daemon.client.call('task.create', { prompt: 'Count nothing', agent: 'coder', plan: true });
    const card = page.locator(`[data-task="${id}"]`);
    await column('Ended').locator(card).waitFor();
    await card.getByText('there is nothing to count').waitFor();
    await card.click();
    await view('failed').waitFor();
    agent.replies({ when: 'Count in', hold: true }, { tools: [PLAN], text: 'planned' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await view('planned').waitFor();
    await other.getByRole('region', { name: 'To start' }).locator(`[data-task="${id}"]`).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await other.getByRole('region', { name: 'Running' }).locator(`[data-task="${id}"]`).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await view('cancelled').waitFor();
    expect(await page.locator('.notice.bad').count()).toBe(0);
    expect((await daemon.client.call('task.show', { task: id })).state).toBe('cancelled');
    await other.locator(`[data-task="${id}"]`).click();
    await other.locator('.task[data-state="cancelled"]').waitFor();
    expect(await other.getByRole('button', { name: /Retry|Start|Plan|Cancel/ }).count()).toBe(0);
    await reader.close();
  });

  test('a phone shows the columns that have tasks one below the other', async () => {
    const { daemon, page } = web;
    await daemon.client.call('task.create', { prompt: 'Wait for somebody who plans it' });
    await page.setViewportSize({ width: 360, height: 640 });
    await signIn(page, daemon, 'tasks');
    await column('To plan').waitFor();
    expect(await column('Running').isVisible()).toBe(false);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByText('Wait for somebody who plans it').click();
    await view('pending').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await column('To plan').waitFor();
  });
});
