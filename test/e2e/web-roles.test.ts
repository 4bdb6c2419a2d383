/** Tests what browsers with the roles `read` and `answer` are shown, and that they are offered nothing else. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Item, Session } from '../../src/protocol/index.js';
import { chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';

const ASKS =
  "cat <<'END'\n```orchestrator-message\n" +
  '{"type":"QUESTION","data":{"question":"Which way?","options":["left","right"]}}\n```\nEND\nread a; cat';
/** Buttons and links that change something. */
const ACTS = new RegExp(
  '^(Take control|Rename|Tags|Restart|Start again|Go on|End|Remove|New|New .*|Save|Delete|Copy|Run it|Run|' +
    'Create the task|Start|Retry|Cancel|Check again|Sign out .+|Edit a copy)$',
);
const PAGES = ['sessions', 'agents', 'agents/summarizer', 'runs', 'tasks', 'workflows', 'envelopes', 'events'];

describe.skipIf(chromiumPath === null)('the dashboard of a browser that may not do everything', () => {
  let session: Session;
  let item: Item;
  const web = useDashboard({}, async (daemon) => {
    session = await daemon.sh(ASKS, '--name', 'asker');
    item = await daemon.openItem(session);
    await daemon.client.call('blueprint.create', { name: 'summarizer' });
    await daemon.client.call('task.create', { prompt: 'Wait for a plan' });
  });
  beforeAll(() => expect(item.state).toBe('open'));
  /** Returns the names of the controls of the page that act and can be used. */
  const acts = async (): Promise<string[]> => {
    const controls = web.page.locator('main').locator('button:enabled, a.button');
    return (await controls.allInnerTexts()).map((text) => text.trim()).filter((text) => ACTS.test(text));
  };

  test.each(['read', 'answer'] as const)('the role %s is named, and no page offers an act', async (role) => {
    const { daemon, page } = web;
    await signIn(page, daemon, '', { role });
    await page.getByText(role === 'read' ? '· may read' : '· may answer').waitFor();
    for (const path of [...PAGES, `sessions/${session.id}`, `recordings/${session.id}`, 'system']) {
      await go(page, path);
      await page.locator('h1').first().waitFor();
      expect(await acts(), path).toEqual([]);
    }
  });

  test.each(['read', 'answer'] as const)('the role %s has no keys that act', async (role) => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'sessions', { role });
    await page.getByText('asker').first().waitFor();
    for (const key of ['j', 'n', 'r', 'T', 'R', 'K', 'X']) await page.keyboard.press(key);
    expect(await page.locator('[role="dialog"], [role="alertdialog"], .marked-bar').count()).toBe(0);
    await go(page, `sessions/${session.id}`);
    await page.locator('[data-stream="open"]').waitFor();
    for (const key of ['Enter', 'r', 'T', 'R', 'K', 'X']) await page.keyboard.press(key);
    expect(await page.locator('[role="dialog"], [role="alertdialog"], .in-control').count()).toBe(0);
    for (const path of ['agents', 'tasks', 'workflows']) {
      await go(page, path);
      await page.locator('h1').first().waitFor();
      await page.keyboard.press('n');
      expect(new URL(page.url()).pathname).toBe(`/ui/${path}`);
    }
    expect((await daemon.client.call('session.show', { session: session.id })).ended_at).toBeNull();
  });

  test('forms at their own addresses are read-only, and say so', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'agents/summarizer', { role: 'answer' });
    await page.getByText('This browser may look at agents, not change them.').waitFor();
    await expectAccessible(page);
    for (const path of ['agents/summarizer?tab=try', 'agents/+new', 'tasks/+new', 'workflows/+new']) {
      await go(page, path);
      await page.locator('main form').first().waitFor();
      expect(await acts(), path).toEqual([]);
      expect(await page.locator('main form textarea:not([readonly]):not(:disabled)').count(), path).toBe(0);
    }
  });

  test('a reader sees a question without its form, and keys do not answer it', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `inbox/${item.id}`, { role: 'read' });
    await page.getByText('This browser may read, not answer.').waitFor();
    expect(await page.locator('.answer, .option').count()).toBe(0);
    for (const key of ['1', 'a', 'x']) await page.keyboard.press(key);
    await expectAccessible(page);
    expect((await daemon.client.call('inbox.show', { item: item.id })).state).toBe('open');
  });

  test('a browser with the role answer answers the question', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `inbox/${item.id}`, { role: 'answer', name: 'phone' });
    await page.getByRole('button', { name: 'right' }).click();
    await page.getByText('by phone, in the dashboard').waitFor();
    expect((await daemon.client.call('inbox.show', { item: item.id })).answer).toMatchObject({ text: 'right' });
  });
});
