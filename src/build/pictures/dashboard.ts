/** The pictures of the dashboard for the guide: the demo's agents and a build, in the installed chromium. */
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { type DemoHome, inDemoHome, startDemo } from './demo-home.js';

const SIZE = { width: 1280, height: 760 };

/** @throws {Error} If there is no chromium in PATH. */
export async function drawDashboard(folder: string): Promise<void> {
  const executablePath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, 'chromium'))
    .find(existsSync);
  if (!executablePath) throw new Error('the pictures of the dashboard need chromium in PATH');
  mkdirSync(folder, { recursive: true });
  await inDemoHome(
    async (home) => {
      startDemo(home);
      const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      try {
        const context = await browser.newContext({ viewport: SIZE, colorScheme: 'dark' });
        await draw(await context.newPage(), home, folder);
      } finally {
        await browser.close();
      }
    },
    ['--port', '0'],
  );
}

async function draw(page: Page, { orchd }: DemoHome, folder: string): Promise<void> {
  // A program whose screen has colours and changes.
  const build =
    'i=0; while :; do i=$((i+1)); printf "\\033[32m✓\\033[0m module %s compiled in \\033[2m%s ms\\033[0m\\n" $i $((i*7%90+12)); ' +
    'sleep 0.3; done';
  orchd('run', '-d', '--name', 'build', '--', 'sh', '-c', build);
  const { url } = JSON.parse(orchd('web', '--no-open', '--json')) as { url: string };
  await page.goto(url);
  await page.locator('[data-connection="live"]').waitFor();
  await page.getByText('demo-auth').first().waitFor();
  const save = (name: string) => page.screenshot({ path: join(folder, `${name}.png`) });
  await save('inbox');
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'Cards' }).click();
  await page.getByRole('img', { name: 'Screen of build' }).waitFor();
  await page.waitForTimeout(1_500); // The pictures of the screens are loaded once per second.
  await save('sessions');
  await page.locator('.card', { hasText: 'demo-auth' }).getByRole('link').click();
  await page.locator('[data-stream="open"]').waitFor();
  await page.locator('.message').first().waitFor();
  await page.waitForTimeout(500); // Time for the terminal to draw.
  await save('session');
  await page.getByRole('link', { name: 'Recording', exact: true }).click();
  await page.locator('.moment').last().click();
  await page.waitForTimeout(500);
  await save('recording');
}
