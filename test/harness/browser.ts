/** The installed Chromium, driven by playwright-core. Without one, tests are skipped with a reason. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startDaemon, type TestDaemon } from './daemon.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export const chromiumPath: string | null =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((dir) => NAMES.map((name) => join(dir, name)))
    .find((file) => existsSync(file)) ?? null;

if (chromiumPath === null)
  process.stderr.write('The browser tests are skipped: no chromium in PATH (Debian: apt-get install chromium)\n');

export function openBrowser(...flags: string[]): Promise<Browser> {
  if (chromiumPath === null) throw new Error('there is no chromium');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', ...flags] });
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser that all tests of this worker share: each start costs as much CPU time as five pages. Tests open
 * contexts of their own in it, and close them. It ends with the worker. It has no WebGL, which would cost a fifth of
 * the CPU time of these tests: the CPU computes it. One test of sessions opens a browser with WebGL.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = openBrowser('--disable-3d-apis');
  return shared as Promise<Browser>; // set above
}

let usual: Page | undefined;

/**
 * Returns the page that the tests of this worker use one after the other. A page in a context of its own would cost
 * each of them half a second of CPU time: the browser starts a process for it and compiles the dashboard again.
 */
async function usualPage(): Promise<Page> {
  if (!usual || usual.isClosed() || !(await shared)?.isConnected())
    usual = await newPage(await (await sharedBrowser()).newContext({ viewport: USUAL_SIZE }));
  return usual;
}

/** Takes everything from the usual page that the next test must not find: storage, routes, sizes and other pages. */
async function clearPage(page: Page, daemon: TestDaemon): Promise<void> {
  if (page.url() === 'about:blank') return;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
  // A file of the same site ends the dashboard and keeps the process of the page.
  const { url } = await daemon.client.call('daemon.status', {});
  await page.goto(`${url}/ui/icon.svg`);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(USUAL_SIZE);
  await page.mouse.move(0, 0);
}

/** Errors of each page's scripts, and violations of its content security policy. Empty if there are none. */
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

/** The size of the window of a test that does not set its own. */
export const USUAL_SIZE = { width: 1280, height: 800 } as const;
export const PHONE_SIZE = { width: 360, height: 740 } as const;

/**
 * The daemon, browser and page that `useDashboard` opens. The tests of a `describe` share the daemon.
 */
export interface Dashboard {
  readonly daemon: TestDaemon;
  readonly browser: Browser;
  /** The browser context of `page`. */
  readonly context: BrowserContext;
  /** The page of the current test. */
  readonly page: Page;
}

/**
 * Starts a daemon for the tests of the `describe` that calls this, and gives each of them an empty page. A test fails
 * if a script of one of its pages failed, or if the policy of the pages refused something.
 *
 * @param options  The environment of the daemon, its flags, and `ownPages` for tests that leave something in their page
 *                 or its context that cannot be taken back: scripts that run first, clocks, permissions.
 * @param isReady  Called once the daemon and the browser run, before the first test.
 */
export function useDashboard(
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly flags?: readonly string[];
    readonly ownPages?: boolean;
  } = {},
  isReady: (daemon: TestDaemon) => Promise<void> | void = () => {},
): Dashboard {
  const opened: { -readonly [name in keyof Dashboard]?: Dashboard[name] } = {};
  const dashboard = {} as Dashboard; // its properties are defined below
  for (const name of ['daemon', 'browser', 'context', 'page'] as const) {
    Object.defineProperty(dashboard, name, {
      get() {
        if (!opened[name]) throw new Error(`there is no ${name} before the tests begin`);
        return opened[name];
      },
    });
  }
  beforeAll(async () => {
    const { env, flags = [] } = options;
    [opened.daemon, opened.browser] = await Promise.all([
      startDaemon({ flags: ['--port', '0', ...flags], ...(env && { env }) }),
      sharedBrowser(),
    ]);
    await isReady(opened.daemon);
  });
  afterAll(async () => {
    await opened.daemon?.close();
  });
  beforeEach(async () => {
    opened.page = options.ownPages
      ? await newPage(await dashboard.browser.newContext({ viewport: USUAL_SIZE }))
      : await usualPage();
    opened.context = opened.page.context();
  });
  afterEach(async ({ task }) => {
    const { context, page } = dashboard;
    const found = context.pages().flatMap((one) => problems.get(one)?.splice(0) ?? []);
    if (options.ownPages || task.result?.state === 'fail') await context.close();
    else await clearPage(page, dashboard.daemon);
    expect(found).toEqual([]);
  });
  return dashboard;
}

/** Opens a page of the dashboard with a link of its own. Every page takes a code, so no other page is loaded before. */
export async function signIn(page: Page, daemon: TestDaemon, path = '', link = {}): Promise<void> {
  const { url } = await daemon.client.call('web.link', link);
  await page.goto(url.replace('#', `${path}#`));
  await page.locator('[data-connection="live"]').waitFor();
}

/** Loads a page of the dashboard anew, as a reload or a bookmark does. */
export async function load(page: Page, path: string): Promise<void> {
  await page.goto(new URL(`/ui/${path}`, page.url()).href);
  await page.locator('[data-connection="live"]').waitFor();
}

/**
 * Opens a page of the dashboard as its links do, and waits until it has what it shows. To `load` it would cost five
 * times as much CPU time.
 */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), `/ui/${path}`);
  await page.locator('[data-connection="live"]:not(:has([data-settling="true"], [aria-busy="true"]))').waitFor();
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Found {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The checks of axe that depend on colours. */
const COLOUR_CHECKS = ['color-contrast', 'link-in-text-block'];

/** The checks of axe: all, or those that depend on colours alone. */
type Checks = 'all' | 'colours';

/** The checks of axe in each colour scheme. */
export const BOTH_THEMES = [
  ['dark', 'all'],
  ['light', 'colours'],
] as const;

/** Returns the accessibility problems that axe finds in the current state of the page. */
export async function accessibilityFaults(page: Page, checks: Checks = 'all'): Promise<string[]> {
  // The script is evaluated by the debugger, because the page's policy refuses foreign scripts.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const runOnly = checks === 'all' ? {} : { runOnly: COLOUR_CHECKS };
  // Without the details of what passes, which take as much time as the checks.
  const options = JSON.stringify({ resultTypes: ['violations'], ...runOnly });
  const violations = (await page.evaluate(`axe.run(${options}).then((result) => result.violations)`)) as Found[];
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`);
}

/**
 * Fails if axe finds an accessibility problem in the current state of the page.
 * @param schemes  The colour schemes to check it in. They differ in colours alone. Default: the present one.
 */
export async function expectAccessible(page: Page, schemes?: typeof BOTH_THEMES): Promise<void> {
  if (!schemes) return expect(await accessibilityFaults(page)).toEqual([]);
  for (const [colorScheme, checks] of schemes) {
    await page.emulateMedia({ colorScheme });
    expect(await accessibilityFaults(page, checks), colorScheme).toEqual([]);
  }
}
