/**
 * Measures the dashboard in the installed Chromium with its own daemon: the size of the first load, the time until it
 * can be used, the time from a question to the page, whether long lists scroll without long tasks, and the cost of live
 * terminals for the daemon.
 *
 * The browser shares the cores with the daemon, this process and the rest of the machine. A long task takes more than
 * 50 ms, as reported by the browser. On a busy machine most of that is waiting for a core, so the CPU time of the
 * longest task is reported, too.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Session } from '../../src/protocol/index.js';
import { chromiumPath, go, openBrowser, signIn } from '../harness/browser.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Bench, type BenchOptions, type Figure, percentile, tail } from './bench.js';
import { makeBusy } from './busy.js';
import { createFolder } from './inputs/files.js';

const ASSETS = join(import.meta.dirname, '../../dist/web');
const EVENTS = 10_000;
const SESSIONS = 500;
const ITEMS = 1_000;
/** Number of open items of one session. The daemon accepts 500. */
const ITEMS_OF_ONE = 250;
const TERMINALS = 9;
const LONG_TASK_MS = 50;
const MEASURED_MS = 10_000;

export const web: Bench = {
  name: 'web',
  summary: 'the dashboard in chromium: size, start, questions, long lists, live terminals',
  async run(options) {
    if (chromiumPath === null) {
      options.progress('skipped: there is no chromium in PATH');
      return [];
    }
    const browser = await openBrowser();
    try {
      return [
        firstLoad(),
        ...(await small(browser, options)),
        ...(await terminals(browser, options)),
        ...(await large(browser, options)),
      ];
    } finally {
      await browser.close();
    }
  },
};

/** Returns the size of what the browser loads before a page is chosen: the files of index.html and what they import. */
function firstLoad(): Figure {
  const html = readFileSync(join(ASSETS, 'index.html'), 'utf8');
  const all = readdirSync(join(ASSETS, 'assets')).filter((name) => !name.endsWith('.gz'));
  const named = new Set(all.filter((name) => html.includes(name)));
  // A set also visits what is added while it is read.
  for (const name of named) {
    const text = readFileSync(join(ASSETS, 'assets', name), 'utf8');
    for (const other of all)
      if (text.includes(`from"./${other}"`) || text.includes(`import"./${other}"`)) named.add(other);
  }
  const bytes = [...named].reduce((sum, name) => sum + statSync(join(ASSETS, 'assets', `${name}.gz`)).size, 0);
  const note = `kB: ${[...named].join(', ')}`;
  return { what: 'first load, gzip', value: bytes / 1000, unit: '', goal: 200, note };
}

async function openedDaemon(flags: readonly string[] = []): Promise<TestDaemon> {
  return startDaemon({ flags: ['--port', '0', ...flags] });
}

async function small(browser: Browser, { quick, progress }: BenchOptions): Promise<Figure[]> {
  const daemon = await openedDaemon();
  try {
    progress('start');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await signIn(page, daemon);
    const starts: number[] = [];
    for (let round = 0; round < (quick ? 2 : 10); round++) {
      const begun = performance.now();
      await page.goto(new URL('/ui/inbox', page.url()).href, { waitUntil: 'commit' });
      await page.locator('[data-connection="live"]').waitFor();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      starts.push(performance.now() - begun);
    }
    progress('questions');
    const times: number[] = [];
    const session = await daemon.sh('while read text; do printf ":ORCHESTRATOR: QUESTION: %s\\n" "$text"; done');
    for (let round = 0; round < (quick ? 5 : 100); round++) {
      const text = `Question ${round}?`;
      const seen = shownAt(page, text);
      await page.evaluate('0'); // the observer is in place
      const begun = Date.now();
      await daemon.client.call('session.send', { session: session.id, text, wait_ms: 0 });
      times.push((await seen) - begun);
    }
    await context.close();
    return [
      {
        what: 'usable after',
        value: percentile(starts, 0.5),
        unit: 'ms',
        goal: 1_000,
        note: `p50 of ${starts.length}`,
      },
      ...tail('typed to the program → question on the page', times, 150),
    ];
  } finally {
    await daemon.close();
  }
}

/** Returns the time, by the clock of the machine, of the first frame with a row of the inbox that has this text. */
function shownAt(page: Page, text: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    const isThere = () => [...document.querySelectorAll('.item-row')].some((row) => row.textContent.includes(${JSON.stringify(text)}));
    const observer = new MutationObserver(() => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve(Date.now()));
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  })`);
}

/** Measures the daemon's CPU for nine terminals in which recorded agents paint at their own pace. */
async function terminals(browser: Browser, { quick, progress, seed }: BenchOptions): Promise<Figure[]> {
  const daemon = await openedDaemon();
  const folder = createFolder();
  try {
    progress('live terminals');
    const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LC_ALL: 'C.UTF-8' };
    const busy = await makeBusy(folder.path, { sessions: TERMINALS, seed }, (name, command, size) =>
      daemon.client.call('session.start', { name, command, size: { ...size }, env }),
    );
    const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
    const page = await context.newPage();
    await signIn(page, daemon, 'inbox');
    await go(page, 'sessions?view=terminals');
    await page
      .locator('[data-stream="open"]')
      .nth(TERMINALS - 1)
      .waitFor();
    await cpuShare(daemon, quick); // until the code that runs often has been compiled
    const shown = await cpuShare(daemon, quick);
    await go(page, 'inbox');
    const without = await cpuShare(daemon, quick);
    await context.close();
    await busy.quiet();
    const note = `${shown.toFixed(1)} % with, ${without.toFixed(1)} % without, of recorded agents`;
    return [{ what: 'CPU of the daemon for 9 live terminals', value: shown - without, unit: '%', goal: 10, note }];
  } finally {
    await daemon.close();
    folder.remove();
  }
}

/** Returns the share of a core that the daemon uses. */
async function cpuShare(daemon: TestDaemon, quick: boolean): Promise<number> {
  const cpu = async (): Promise<number> => {
    const { families } = await daemon.client.call('daemon.metrics', {});
    return families.find(({ name }) => name === 'process_cpu_seconds_total')?.samples[0]?.value ?? 0;
  };
  // Skips the first seconds of a view, in which the daemon works more.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const [begun, before] = [performance.now(), await cpu()];
  await new Promise((resolve) => setTimeout(resolve, quick ? 2_000 : MEASURED_MS));
  return (((await cpu()) - before) / ((performance.now() - begun) / 1000)) * 100;
}

async function large(browser: Browser, { quick, progress }: BenchOptions): Promise<Figure[]> {
  const daemon = await openedDaemon();
  try {
    const [sessions, items, events] = quick ? [20, 50, 500] : [SESSIONS, ITEMS, EVENTS];
    progress(`${sessions} sessions`);
    const start = (name: string, script: string): Promise<Session> =>
      daemon.client.call('session.start', { command: ['sh', '-c', script], name });
    await inTurns(sessions, (at) => start(`session-${at}`, 'exit 0'));
    progress(`${items} items`);
    const asking: Session[] = [];
    const each = Math.min(items, ITEMS_OF_ONE);
    for (let at = 0; at < items; at += each) {
      const lines = `i=0; while [ $i -lt ${each} ]; do echo ":ORCHESTRATOR: QUESTION: Number $i of ${at}?"; i=$((i+1)); done; cat`;
      asking.push(await start(`asks-${at}`, lines));
    }
    let opened = 0;
    for await (const _event of daemon.client.events({ follow: true, since: 0, type: ['item_opened'] })) {
      opened += 1;
      if (opened >= items) break;
    }
    progress(`${events} events`);
    const { last_seq } = await daemon.client.call('daemon.status', {});
    const missing = Math.max(0, events - last_seq);
    await inTurns(missing, (at) =>
      daemon.client.call('session.rename', { session: asking[0]?.id ?? '', name: `renamed-${at}` }),
    );
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await signIn(page, daemon);
    const figures: Figure[] = [];
    for (const [what, path, place] of [
      [`${sessions} sessions, table`, 'sessions?show=all', '[aria-label="List of sessions"]'],
      [`${sessions} sessions, cards`, 'sessions?show=all&view=cards', '[aria-label="List of sessions"]'],
      [`${events} events`, 'events', '[aria-label="Event log"]'],
      [`${items} items`, 'inbox', '.inbox-list .page-body'],
    ] as const) {
      progress(`scroll ${what}`);
      await go(page, path);
      await page.locator(`${place} li`).first().waitFor();
      await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
      const { most, count } = await scroll(page, place);
      const cpuMs = longestCpu(await browser.stopTracing());
      const note = `${count} tasks of more than ${LONG_TASK_MS} ms while it scrolled from end to end`;
      figures.push(
        { what: `longest task, ${what}`, value: most, unit: 'ms', goal: LONG_TASK_MS, note },
        { what: `longest task, ${what}: its CPU`, value: cpuMs, unit: 'ms', goal: LONG_TASK_MS },
      );
    }
    await context.close();
    return figures;
  } finally {
    await daemon.close();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** CPU time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Returns the most CPU time, in milliseconds, that a task of the page's main thread used in a trace. */
function longestCpu(trace: Buffer): number {
  // Chromium writes the trace.
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const isMain = traceEvents.find(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === isMain?.pid && tid === isMain.tid,
  );
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}

async function inTurns(count: number, act: (at: number) => Promise<unknown>): Promise<void> {
  const AT_ONCE = 8;
  for (let at = 0; at < count; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, more) => act(at + more)));
}

/** Scrolls from end to end in 120 frames. */
function scroll(page: Page, place: string): Promise<{ readonly most: number; readonly count: number }> {
  const script = `(async () => {
    const tasks = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
    const list = document.querySelector(${JSON.stringify(place)});
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let at = 0; at < 30; at++) await frame(); // Waits for tasks that the load of the page has started.
    observer.observe({ type: 'longtask' });
    for (let at = 0; at <= 120; at++) {
      list.scrollTop = ((list.scrollHeight - list.clientHeight) * at) / 120;
      await frame();
    }
    await frame();
    observer.disconnect();
    return { most: Math.max(0, ...tasks), count: tasks.length };
  })()`;
  return page.evaluate(script);
}
