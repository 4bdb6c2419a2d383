/** Tests the keyboard of the dashboard: keys beside focused controls, the palette, and tabs. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';

describe.skipIf(chromiumPath === null)('the keyboard', () => {
  const web = useDashboard();
  const path = () => web.page.evaluate('location.pathname + location.search');
  const focus = (name: string) => web.page.getByRole('button', { name }).focus();

  test('Enter and Space press the focused control, and Enter opens a session that was chosen after it', async () => {
    const { daemon, page } = web;
    const { id } = await daemon.sh('cat', '--name', 'one');
    await signIn(page, daemon, 'sessions');
    await page.locator('.session-row').waitFor();
    await focus('Cards');
    await page.keyboard.press('Enter');
    await page.locator('.card').waitFor();
    await focus('Table');
    await page.keyboard.press('Space');
    const row = page.locator('.session-row');
    await row.waitFor();
    await page.keyboard.press('j');
    await row.and(page.locator('[data-selected="true"]')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/ui/sessions/${id}`);
    await page.getByRole('link', { name: 'Recording', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/ui/recordings/${id}**`);
  });

  test('keys of the list work while a checkbox has the focus', async () => {
    const { daemon, page } = web;
    await daemon.sh('cat', '--name', 'two');
    await signIn(page, daemon, 'sessions');
    await page.getByRole('checkbox', { name: 'Mark two' }).click();
    await page.getByText('1 marked').waitFor();
    await page.keyboard.press('K');
    await page.getByRole('alertdialog', { name: 'End two?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('input[type="checkbox"]:focus').waitFor(); // The dialog gives the focus back a moment later.
    await page.keyboard.press('Space');
    await page.getByText('1 marked').waitFor({ state: 'detached' });
  });

  test('the palette finds commands, agents, runs, tasks and workflows', async () => {
    const { daemon, page } = web;
    await daemon.client.call('blueprint.create', { name: 'pr-reviewer' });
    const task = await daemon.client.call('task.create', { prompt: 'Count the **leaves**' });
    await signIn(page, daemon, 'sessions');
    const search = page.getByRole('combobox');
    const find = async (words: string, option: string) => {
      await page.keyboard.press('Control+k');
      await search.fill(words);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
    };
    await find('pr-rev', 'pr-reviewer Agent');
    await expect.poll(path).toBe('/ui/agents/pr-reviewer');
    await find('leaves', 'Count the leaves Task');
    await expect.poll(path).toBe(`/ui/tasks/${task.id}`);
    await find('new sess', 'New session Command');
    await page.getByRole('dialog', { name: 'New session' }).waitFor();
    await expect.poll(path).toBe('/ui/sessions?new=session');
    await page.keyboard.press('Escape');
    await expect.poll(path).toBe('/ui/sessions');
    await page.keyboard.press('Control+k');
    await search.fill('nothing of this kind');
    await page.getByText('Nothing has these words.').waitFor();
    await expectAccessible(page);
  });

  test('the arrow keys move between tabs, which are one stop of the Tab key', async () => {
    const { daemon, page } = web;
    const { id } = await daemon.sh('cat', '--name', 'three');
    await signIn(page, daemon, `sessions/${id}`);
    await page.getByRole('tab', { name: 'Messages' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Changes', selected: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'Details', selected: true }).waitFor();
    await page.getByText('/cat', { exact: false }).or(page.getByText('sh -c cat')).first().waitFor();
    expect(await page.locator('[role="tab"][tabindex="0"]').allInnerTexts()).toEqual(['Details']);
  });

  test('runs and tasks are searched after /, and the address keeps the words', async () => {
    const { daemon, page } = web;
    await daemon.client.call('task.create', { prompt: 'Paint the fence' });
    await daemon.client.call('task.create', { prompt: 'Mow the lawn' });
    await signIn(page, daemon, 'tasks');
    await page.getByText('Mow the lawn').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('FENCE paint');
    await page.getByText('Mow the lawn').waitFor({ state: 'detached' });
    await expect.poll(path).toBe('/ui/tasks?q=FENCE+paint');
    await page.reload();
    await page.getByText('Paint the fence').waitFor();
    expect(await page.getByText('Mow the lawn').count()).toBe(0);
    await go(page, 'tasks?q=nothing');
    await page.getByText('No task has these words').waitFor();
    await expectAccessible(page);
    await go(page, 'runs');
    await page.getByText('There are no runs yet.').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('leaf');
    await expect.poll(path).toBe('/ui/runs?q=leaf');
  });
});
