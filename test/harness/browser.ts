/** The installed Chromium, driven by playwright-core. Tests skip with a reason where there is none. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestDaemon } from './daemon.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export const chromiumPath: string | null =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)))
    .find((file) => existsSync(file)) ?? null;

if (chromiumPath === null)
  process.stderr.write('The browser tests are skipped: no chromium in PATH (Debian: apt-get install chromium)\n');

export function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('there is no chromium');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Errors of a page's scripts, and what its policy refused. Empty where all is well. */
export const problems = new WeakMap<Page, string[]>();

export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const found: string[] = [];
  problems.set(page, found);
  page.on('pageerror', (error) => found.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Uncaught/.test(message.text())) found.push(message.text());
  });
  return page;
}

/** Opens the dashboard with a link of its own. */
export async function signIn(page: Page, daemon: TestDaemon, path = '', link = {}): Promise<void> {
  const { url } = await daemon.client.call('web.link', link);
  await page.goto(url);
  await page.locator('[data-connection="live"]').waitFor();
  if (path !== '') await go(page, path);
}

export async function go(page: Page, path: string): Promise<void> {
  await page.goto(new URL(`/ui/${path}`, page.url()).href);
  await page.locator('[data-connection="live"]').waitFor();
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Fails for what axe finds on the page as it is. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated by the debugger, because the page's own policy refuses foreign scripts.
  await page.evaluate(await import('node:fs').then(({ readFileSync }) => readFileSync(AXE, 'utf8')));
  const violations = (await page.evaluate('axe.run().then((result) => result.violations)')) as Found[];
  const words = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`);
  expect(words).toEqual([]);
}
