/** Tests runs and envelopes in a browser, with scripted agents in a real daemon. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message, Run } from '../../src/protocol/index.js';
import { BOTH_THEMES, chromiumPath, expectAccessible, newPage, signIn, useDashboard } from '../harness/browser.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
const NASTY =
  '<script>globalThis.ran = 1</script>\n\n<img src=x onerror="globalThis.ran = 1">\n\n[x](javascript:alert(1))';

const METADATA = { agent: 'coder', task_id: 't', duration_seconds: 1 };
const said = ({ data }: Message): unknown => data['currentStep'];

describe.skipIf(chromiumPath === null)('the runs and envelopes pages', () => {
  const web = useDashboard();
  let agent: ScriptedAgent;
  beforeEach(() => {
    agent = installScriptedAgent();
  });
  afterEach(() => {
    agent.release();
    agent.close();
  });
  const start = (fields: object = {}): Promise<Run> => {
    const args = ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file];
    return web.daemon.client.call('run.start', { adapter: 'shell', args, prompt: 'Count', cwd: agent.home, ...fields });
  };

  test('a failed run shows its error and attempts side by side and can be retried', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'runs');
    await page.getByText('A run is one prompt, taken to a result').waitFor();
    agent.replies({ text: '{"sumary": 1}' }, { text: NASTY }, { text: '{"summary": "at last"}' });
    const { id } = await start({ output_schema: SCHEMA });
    await page.getByRole('link', { name: /shell/ }).click();
    await page.waitForURL(`**/ui/runs/${id}`);
    await page.locator('.run[data-state="failed"]').waitFor();
    await page.getByText('OutputSchemaValidationError').first().waitFor();
    await page.getByText('No JSON output found but output_schema requires structured output').first().waitFor();
    const [one, two] = await Promise.all(
      ['Attempt 1', 'Attempt 2'].map((name) => page.getByRole('article', { name }).boundingBox()),
    );
    expect([one?.y, (one?.x ?? 0) < (two?.x ?? 0)]).toEqual([two?.y, true]);
    await expectAccessible(page);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.locator('.run[data-state="completed"]').waitFor();
    expect(page.url()).not.toContain(id);
    await page.getByRole('link', { name: id }).waitFor();
    await page.getByText('"at last"').first().waitFor();
  });

  test('a run that is cancelled in one window is shown as cancelled in another', async () => {
    const { daemon, context, page } = web;
    agent.replies({ hold: true, text: 'late' });
    const { id } = await start();
    const other = await newPage(context);
    await signIn(page, daemon, `runs/${id}`);
    await signIn(other, daemon, `runs/${id}`, { role: 'read' });
    await other.locator('.run[data-state="running"]').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await other.locator('.run[data-state="cancelled"]').waitFor();
    await page.locator('.run[data-state="cancelled"]').waitFor();
    expect((await daemon.client.call('run.show', { run: id })).state).toBe('cancelled');
  });

  test('a question of a run is answered on the page of the run, which then shows its result', async () => {
    const { daemon, page } = web;
    const claude = installScriptedAgent('claude');
    const question = '{"type": "QUESTION", "data": {"question": "Which one?", "options": ["staging", "production"]}}';
    claude.replies(
      { text: `I need to know.\n\n\`\`\`orchestrator-message\n${question}\n\`\`\`` },
      { text: 'Deployed to **production**.' },
    );
    const { id } = await daemon.client.call('run.start', {
      adapter: 'claude',
      prompt: 'Deploy',
      cwd: claude.home,
      env: claude.env,
    });
    await signIn(page, daemon, `runs/${id}`);
    const asked = page.getByRole('region', { name: 'Question 1 of 1' });
    await asked.getByText('Which one?').waitFor();
    await expectAccessible(page);
    await asked.getByRole('button', { name: /production/ }).click();
    await page.locator('.run[data-state="completed"]').waitFor();
    await page.locator('.outcome strong', { hasText: 'production' }).waitFor();
    await asked.waitFor({ state: 'detached' });
    expect(claude.calls()[1]?.stdin).toBe('production');
    claude.close();
  });

  test('an envelope shows status, deliverables, next steps and its text as safe HTML, also on a phone', async () => {
    const { daemon, page } = web;
    const data = {
      status: 'partial',
      summary: 'Done <b>now</b>',
      deliverables: ['api/auth.ts'],
      next_steps: ['deploy'],
      metadata: METADATA,
      issues: [{ type: 'test', impact: 'low', blocking: false, description: 'slow', seen_on: 'host 2' }],
      subtasks: [{ id: 's1', agent: 'coder', status: 'success', output: 'code', took: '3 s' }],
      error: { type: 'Late', message: 'too late', resolution: 'begin earlier', retry_after: 60 },
    };
    agent.replies({
      text: `<output>\n${JSON.stringify(data)}\n---\n## Details\n\n- **bold** words\n\n${NASTY}\n</output>`,
    });
    const run = await start({ output_format: 'envelope' });
    await daemon.client.call('run.wait', { run: run.id });
    await signIn(page, daemon, 'envelopes');
    await page.getByRole('link', { name: /coder/ }).click();
    await page.locator('.envelope-human strong', { hasText: 'bold' }).waitFor();
    await page.getByText('api/auth.ts').waitFor();
    await page.getByText('deploy', { exact: true }).waitFor();
    for (const words of ['seen_on', 'host 2', 'took', '3 s', 'Resolution: begin earlier', 'Retry after: 60'])
      expect(await page.locator('.envelope').textContent()).toContain(words);
    expect(await page.locator('.envelope :is(script, img, b)').count()).toBe(0);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await page.setViewportSize({ width: 360, height: 640 });
    await expectAccessible(page, BOTH_THEMES);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('link', { name: 'its run' }).click();
    await page.locator('.run[data-state="completed"] .envelope').waitFor();
  });

  test('an envelope is listed after more than a thousand other messages, and a new one appears by itself', async () => {
    const { daemon, page } = web;
    const block = '```orchestrator-message\n{"type":"STATUS_UPDATE","data":{"currentStep":"step %s"}}\n```\n';
    const talking = await daemon.sh(`for i in $(seq 1100); do printf '${block}' $i; done; cat`);
    await daemon.event('message', (event) => event.session_id === talking.id && said(event.message) === 'step 1100');
    const envelope = (summary: string) => {
      const data = { status: 'success', summary, deliverables: [], next_steps: [], metadata: METADATA };
      return { text: `<output>\n${JSON.stringify(data)}\n---\n## Details\n</output>` };
    };
    agent.replies(envelope('The early one'), envelope('The late one'));
    const { id } = await start({ output_format: 'envelope' });
    await daemon.client.call('run.wait', { run: id });
    await signIn(page, daemon, 'envelopes');
    await page.getByText('The early one').waitFor();
    await start({ output_format: 'envelope' });
    await page.getByText('The late one').waitFor();
  });
});
