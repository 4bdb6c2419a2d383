/** Tests the agents page in a browser: the form, its schema editor, and a test run of an agent with a real daemon. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BOTH_THEMES,
  chromiumPath,
  expectAccessible,
  go,
  newPage,
  problems,
  signIn,
  useDashboard,
} from '../harness/browser.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };

describe.skipIf(chromiumPath === null)('the agents page', () => {
  const web = useDashboard();
  let agent: ScriptedAgent;
  beforeAll(() => {
    agent = installScriptedAgent();
  });
  afterAll(() => agent?.close());

  /** Returns the agent's command for runs whose caller sends no environment. */
  const program = (): string[] => ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file];
  const editor = (on = web.page) => on.getByRole('textbox', { name: 'Custom Output Schema, as JSON Schema' });
  async function write(text: string): Promise<void> {
    await editor().click();
    await web.page.keyboard.press('Control+a');
    await web.page.keyboard.insertText(text);
  }

  test('an invalid schema is refused, a corrected one saved, and a test run uses it', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'agents');
    await page.getByText('An agent is a prompt with a contract').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('Name').fill('summarizer');
    await page.getByLabel('Description').fill('Summarizes');
    await page.getByText('Program, tools and limits').click();
    await page.getByLabel('Agent program').fill('shell');
    await page.getByLabel('Arguments').fill(program().join('\n'));
    await page.getByRole('switch', { name: 'Custom Output Schema' }).click();

    await write('{"type": "object",');
    await page.getByText('This is no JSON', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByText('Not saved.', { exact: true }).waitFor();
    await write('{"type": "objekt", "required": ["summary"]}');
    await page.getByText(/This is no JSON Schema/).waitFor();
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByText(/output_schema\.type: 'objekt' is not one of/).waitFor();
    await expectAccessible(page);
    expect((await daemon.client.call('blueprint.list', {})).map(({ name }) => name)).not.toContain('summarizer');
    await page.locator('.problem').first().click();
    expect(await page.evaluate('getSelection().toString()')).toBe('"objekt"');

    await write(JSON.stringify(SCHEMA));
    await page.getByText('A valid JSON Schema').waitFor();
    await page.getByRole('button', { name: 'Prettify' }).click();
    expect(await page.locator('.cm-line').count()).toBe(JSON.stringify(SCHEMA, null, 2).split('\n').length);
    await page.getByRole('region', { name: 'Form preview' }).getByLabel('summary').fill('As a form');
    await page.getByRole('region', { name: 'The value of the form' }).getByText('"As a form"').waitFor();
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.waitForURL('**/ui/agents/summarizer');
    const saved = await daemon.client.call('blueprint.show', { name: 'summarizer' });
    expect(saved).toMatchObject({ output_schema: SCHEMA, adapter: 'shell', args: program() });
    await expectAccessible(page);

    agent.replies({ text: 'Sure: {"sumary": 1}' }, { text: '```json\n{"summary": "all of it"}\n```' });
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByLabel('Prompt').fill('Summarize this');
    await page.getByRole('button', { name: 'Run it' }).click();
    await page.locator('.run[data-state="completed"]').waitFor();
    expect(await page.getByRole('region', { name: 'result_data' }).textContent()).toContain('"summary": "all of it"');
    const first = page.getByRole('article', { name: 'Attempt 1' });
    await first.getByText('does not fit').waitFor();
    await first.getByText("'summary' is a required property").waitFor();
    await page.getByRole('article', { name: 'Attempt 2' }).getByText('fits', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.locator('.run[data-state="completed"]').waitFor();
  });

  test('the editor completes keywords by keyboard and saves', async () => {
    const { daemon, page } = web;
    await daemon.client.call('blueprint.create', { name: 'typed', output_schema: { type: 'object' } });
    await signIn(page, daemon, 'agents/typed');
    await write('{}');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('"ty');
    await page.locator('.cm-tooltip-autocomplete').getByText('type', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('arr');
    await page.locator('.cm-tooltip-autocomplete').getByText('array').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('A valid JSON Schema').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { output_schema } = await daemon.client.call('blueprint.show', { name: 'typed' });
    expect(output_schema).toEqual({ type: 'array' });
  });

  test('changes from another window appear, and unsaved local changes are kept', async () => {
    const { daemon, page } = web;
    await daemon.client.call('blueprint.create', { name: 'shared', description: 'first' });
    await signIn(page, daemon, 'agents/shared');
    await page.getByLabel('Description').waitFor();
    await daemon.client.call('blueprint.update', { name: 'shared', description: 'second' });
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('second');
    await page.getByLabel('Description').fill('mine');
    await daemon.client.call('blueprint.update', { name: 'shared', description: 'third' });
    await page.getByText('This agent was saved elsewhere meanwhile').waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('mine');
    await page.getByRole('button', { name: 'Drop my changes' }).first().click();
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('third');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete shared' }).click();
    await page.waitForURL('**/ui/agents');
    await expect(daemon.client.call('blueprint.show', { name: 'shared' })).rejects.toThrow(/shared/);
  });

  test("agents in a project's folder are listed, and a damaged file shows its error", async () => {
    const { daemon, page } = web;
    const folder = join(agent.home, '.orchd', 'agents', 'broken');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'agent.json'), '{"name": "broken", "output_schema": {"type": 7}}');
    await signIn(page, daemon, 'agents');
    await page.getByLabel('Project: an absolute folder').fill(agent.home);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /broken/ }).click();
    await page.getByText('$.output_schema.type').first().waitFor();
    await expectAccessible(page);
  });

  test("a read-only phone shows a built-in agent's form, and scripts in texts do not run", async () => {
    const { daemon, browser } = web;
    const nasty = '<script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">\u202Egnp';
    await daemon.client.call('blueprint.create', { name: 'nasty', description: nasty, instructions: nasty });
    const phone = await browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const small = await newPage(phone);
    await signIn(small, daemon, 'agents', { role: 'read' });
    await small.getByText('‹U+202E›').first().waitFor();
    await go(small, 'agents/task-validator');
    await small.getByText('It is built in').waitFor();
    expect(await small.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await expectAccessible(small, BOTH_THEMES);
    expect(await small.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await go(small, 'agents/nasty');
    await small.getByLabel('Instructions').waitFor();
    expect(await small.evaluate('globalThis.ran')).toBeUndefined();
    expect(problems.get(small)).toEqual([]);
    await phone.close();
  });
});
