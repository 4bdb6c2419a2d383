/**
 * Tests workflows in a browser: written, watched, a question answered in place, with scripted agents in a real daemon.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OrchdError } from '../../src/protocol/index.js';
import { BOTH_THEMES, chromiumPath, expectAccessible, signIn, useDashboard } from '../harness/browser.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const AGENTFILE = `NAME tea
INPUT topic
GOAL research "Collect facts about $topic" -> facts: string[], score: number
ASK go "Write about **$topic**, with $score?" -> go: "yes" | "no"
GOAL write "Write it from $facts" WHEN $go == "yes"
`;

describe.skipIf(chromiumPath === null)('the workflows page', () => {
  const web = useDashboard();
  let agent: ScriptedAgent;
  beforeEach(() => {
    agent = installScriptedAgent('claude');
  });
  afterEach(async () => {
    agent.release();
    for (const { id, ended_at } of await web.daemon.client.call('workflow.list', {}))
      if (ended_at === null) await cancel(id);
    agent.close();
  });
  const cancel = (workflow: string) =>
    web.daemon.client.call('workflow.cancel', { workflow }).catch((error: unknown) => {
      // The workflow has ended meanwhile.
      if (!(error instanceof OrchdError) || error.code !== 'ORCHD_WORKFLOW_STATE') throw error;
    });
  const run = () =>
    web.daemon.client.call('workflow.run', {
      agentfile: AGENTFILE,
      input: { topic: 'tea' },
      adapter: 'claude',
      cwd: agent.home,
      env: agent.env,
    });
  const box = (step: string) => web.page.locator(`.graph-box[data-step="${step}"]`);
  const editor = () => web.page.getByRole('textbox', { name: 'Agentfile' });
  async function write(text: string): Promise<void> {
    await editor().click();
    await web.page.keyboard.press('Control+a');
    await web.page.keyboard.insertText(text);
  }

  test('the graph follows the run and shows values, and its question is answered in place', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'workflows');
    await page.getByText('A workflow is an Agentfile that runs').waitFor();
    await expectAccessible(page);
    agent.replies(
      { when: 'Collect facts', hold: true, text: json({ facts: ['old', 'hot'], score: 7 }) },
      { when: 'Write it', text: 'Tea is old.' },
    );
    const { id } = await run();
    await page.getByRole('link', { name: /tea/ }).click();
    await box('research').and(page.locator('[data-state="running"]')).waitFor();
    await box('go').and(page.locator('[data-state="waiting"]')).waitFor();
    // The graph does not fit; its boxes are 200 px wide at full size.
    expect((await box('research').boundingBox())?.width).toBeGreaterThan(165);
    agent.release();
    await box('go').and(page.locator('[data-state="asking"]')).waitFor();
    await page.locator('.react-flow__edge-text', { hasText: 'score = 7' }).waitFor();
    const question = page.getByRole('region', { name: 'Question 1 of 1' });
    await question.locator('strong', { hasText: 'tea' }).waitFor();
    await expectAccessible(page, BOTH_THEMES);
    await question.getByRole('button', { name: 'yes' }).click();
    await page.locator('.workflow[data-state="completed"]').waitFor();
    await box('write').and(page.locator('[data-state="completed"]')).waitFor();
    await box('research').click();
    await page.locator('.workflow-steps [data-step="research"]').getByText('old').first().waitFor();
    expect(new URL(page.url()).searchParams.get('step')).toBe('research');
    await page.getByRole('link', { name: 'Agentfile', exact: true }).click();
    await page.locator('.agentfile-keyword', { hasText: 'ASK' }).waitFor();
    expect((await daemon.client.call('workflow.source', { workflow: id })).agentfile).toBe(AGENTFILE);
    await expectAccessible(page);
  });

  test('the editor marks problems, and the corrected Agentfile runs with its inputs', async () => {
    const { daemon, page } = web;
    await daemon.client.call('blueprint.create', {
      name: 'scripted',
      adapter: 'shell',
      args: ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file],
    });
    agent.replies({ text: json({ score: 3 }) });
    await signIn(page, daemon, 'workflows/+new');
    await write('GOAL rate "Rate $topic" -> score: number');
    const problem = page.getByRole('list', { name: 'Problems' }).getByRole('button', { name: /1:17.*topic/ });
    await problem.waitFor();
    await page.locator('.cm-lintRange-error', { hasText: '$topic' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run it' }).isEnabled()).toBe(false);
    await problem.click();
    expect(await page.evaluate('getSelection().toString()')).toBe('$topic');
    await write('INPUT topic\nGOAL rate   "Rate $topic" WITH scripted -> score: number');
    await page.getByRole('button', { name: 'Format' }).click();
    await page.getByText('It has no problems.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Input topic').fill('tea');
    await page.getByLabel('Folder').fill(agent.home);
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.waitForURL(/workflows\/wfl_/);
    await box('rate').waitFor();
  });

  test('an Agentfile of a project opens as a copy in the editor', async () => {
    const { daemon, page } = web;
    writeFileSync(join(agent.home, 'brew.agentfile'), 'GOAL brew "Brew it"\n');
    await signIn(page, daemon, 'workflows');
    await page.getByRole('link', { name: 'Agentfiles' }).click();
    await page.getByLabel('Project: an absolute folder').fill(agent.home);
    await page.getByRole('button', { name: 'Show' }).click();
    const row = page.getByRole('button', { name: /brew\.agentfile/ });
    await row.waitFor();
    await expectAccessible(page);
    await row.click();
    await page.getByText('A copy of brew.agentfile').waitFor();
    await page.locator('.cm-content', { hasText: 'GOAL brew' }).waitFor();
    expect(await page.getByLabel('Folder').inputValue()).toBe(agent.home);
    const { stdout } = await daemon.orchd('workflow', 'files', agent.home);
    expect(stdout).toMatch(/brew\.agentfile +brew/);
  });

  test('a phone shows the graph from top to bottom, and a browser with the role read cannot cancel', async () => {
    const { daemon, page } = web;
    agent.replies({ when: 'Collect facts', hold: true, text: json({ facts: [], score: 1 }) });
    const { id } = await run();
    await page.setViewportSize({ width: 360, height: 740 });
    await signIn(page, daemon, `workflows/${id}`, { role: 'read' });
    const [first, second] = [await box('research').boundingBox(), await box('go').boundingBox()];
    expect((first?.y ?? 0) < (second?.y ?? 0)).toBe(true);
    expect(Math.abs((first?.x ?? 0) - (second?.x ?? 0))).toBeLessThan(2);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
