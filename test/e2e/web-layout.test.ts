/**
 * Tests the layout of all pages of the dashboard in a browser, at each supported width: nothing is cut off or covered,
 * a finger can hit each control, and axe finds nothing. The texts are long, without blanks, and of several scripts.
 */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { accessibilityFaults, chromiumPath, go, signIn, useDashboard } from '../harness/browser.js';
import type { TestDaemon } from '../harness/daemon.js';
import { installScriptedAgent, type ScriptedAgent } from '../harness/scripted-agent.js';

const WIDTHS = [320, 360, 768, 1280, 2560, 3840] as const;
/** Below this width people use fingers. */
const MAX_TOUCH_WIDTH = 768;
const MAX_FRAMES = 30;
const LONG = 'a-name-without-any-blank-that-is-longer-than-a-phone-is-wide';
const WORDS = `${LONG} 家族と一緒に行きますか、それとも一人で行きますか 👨‍👩‍👧‍👦 مرحبا بالعالم ${'and so on '.repeat(30)}`;
const SCHEMA = { type: 'object', required: ['summary'], properties: { summary: { type: 'string' } } };
const AGENTFILE = `NAME ${LONG}
INPUT topic
GOAL research "Collect facts about $topic" -> facts: string[], score: number
ASK go "${LONG} **$topic**?" -> go: "yes" | "no"
`;
const ENVELOPE = {
  status: 'success',
  summary: WORDS,
  deliverables: [`src/${LONG}/${LONG}.ts`],
  next_steps: [WORDS],
  metadata: { agent: LONG.slice(0, 40), task_id: 't', duration_seconds: 1 },
};
const PLAN = {
  tool: 'planner-output',
  type: 'plan',
  summary: WORDS,
  requirements: [WORDS],
  acceptanceCriteria: [`npm test -- ${LONG}`],
  plan: [WORDS, WORDS],
};

/**
 * Returns what is wrong with the layout of the current page: elements beyond the window that nothing scrolls to,
 * controls that are covered, and with `forFingers` controls that are smaller than 24 px and too near to others (WCAG
 * 2.2, 2.5.8). Runs in the page.
 */
function faults(forFingers: boolean): string[] {
  const found: string[] = [];
  const { scrollWidth } = document.documentElement;
  const all = [...document.body.querySelectorAll('*')].filter(isShown);
  if (scrollWidth > innerWidth) {
    const widest = all.filter((element) => element.getBoundingClientRect().right >= scrollWidth - 1);
    found.push(`the page is ${scrollWidth} px wide: ${widest.map(named).join(', ')}`);
  }
  for (const element of all) {
    const { left, right } = element.getBoundingClientRect();
    const isInside = right <= innerWidth + 1 && left >= -1;
    if (!isInside && !chainOf(element).slice(1).some(clips) && !element.closest('svg'))
      found.push(`${named(element)} is beyond the window`);
  }
  const controls = all.filter(
    (element) =>
      element.matches('a[href], button, input, select, textarea') &&
      !element.closest('.xterm, .cm-editor, .react-flow'),
  );
  for (const control of controls) {
    const { width, height } = targetOf(control).getBoundingClientRect();
    const isInText = control.tagName === 'A' && getComputedStyle(control).display === 'inline';
    if (forFingers && !isInText && (width < 24 || height < 24) && !isAlone(control))
      found.push(`${named(control)} is ${Math.round(width)}x${Math.round(height)} px`);
    const cover = coverOf(control);
    if (cover) found.push(`${named(cover)} covers ${named(control)}`);
  }
  return found;

  function named(element: Element): string {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${words}"`;
  }
  /** Returns the element and all that it is in. */
  function chainOf(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) chain.push(at);
    return chain;
  }
  function clips(element: Element): boolean {
    return getComputedStyle(element).overflowX !== 'visible';
  }
  function isShown(element: Element): boolean {
    const { width, height, right, bottom } = element.getBoundingClientRect();
    const isOnPage = right > 0 && bottom > 0; // the link past the navigation is above it until it has the focus
    return width > 1 && height > 1 && isOnPage && element.checkVisibility({ visibilityProperty: true });
  }
  function targetOf(control: Element): Element {
    return control.closest('label') ?? control;
  }
  /** True if a circle of 24 px around the middle of the control hits no other control. */
  function isAlone(control: Element): boolean {
    const own = targetOf(control);
    const { left, top, right, bottom } = own.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return controls.every((other) => {
      if (targetOf(other) === own || own.contains(other) || other.contains(own)) return true;
      const box = targetOf(other).getBoundingClientRect();
      const [dx, dy] = [Math.max(box.left - x, x - box.right, 0), Math.max(box.top - y, y - box.bottom, 0)];
      return Math.hypot(dx, dy) >= 12;
    });
  }
  /** Returns what a click on the middle of the visible part of a control hits instead; null if it hits the control. */
  function coverOf(control: Element): Element | null {
    let { left, top, right, bottom } = control.getBoundingClientRect();
    for (const above of chainOf(control).slice(1).filter(clips)) {
      const box = above.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    if (right - left < 8 || bottom - top < 8) return null;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2); // null if it is below the window
    if (!hit || control.contains(hit) || hit.contains(control) || hit.closest('label')?.contains(control)) return null;
    // A bar that stays while the page scrolls may cover what is below it.
    const isBar = chainOf(hit).some((at) => ['fixed', 'sticky'].includes(getComputedStyle(at).position));
    return isBar ? null : hit;
  }
}

/** Returns the faults that are still there after the page has followed a new width, which takes some frames. */
async function faultsOf(page: Page, forFingers: boolean): Promise<string[]> {
  let found: string[] = [];
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    found = await page.evaluate(`(${faults})(${forFingers})`);
    if (found.length === 0) break;
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
  }
  return found;
}

describe.skipIf(chromiumPath === null)('the layout of the dashboard', () => {
  const paths: Record<'lists' | 'missing' | 'details', string[]> = {
    lists: [
      'inbox',
      'sessions',
      'sessions?view=cards',
      'agents',
      'agents/+new',
      'runs',
      'tasks',
      'tasks/+new',
      'workflows',
      'workflows/+new',
      'envelopes',
      'events',
      'recordings',
      'system',
    ],
    missing: [
      'no-such-page',
      'inbox/itm_none',
      'sessions/ses_none',
      'agents/none',
      'runs/run_none',
      'tasks/tsk_none',
      'workflows/wfl_none',
      'envelopes/0',
      'events/7777777',
      'recordings/ses_none',
    ],
    details: [],
  };
  let agent: ScriptedAgent;
  let claude: ScriptedAgent;
  const web = useDashboard({}, async (daemon) => {
    [agent, claude] = [installScriptedAgent(), installScriptedAgent('claude')];
    paths.details.push(...(await fill(daemon)));
  });
  afterAll(() => {
    agent?.close();
    claude?.close();
  });

  /** Makes one of each kind of thing. Returns the paths of their pages. */
  async function fill({ client, sh, openItem }: TestDaemon): Promise<string[]> {
    const args = ['/usr/bin/env', `SCRIPTED_HOME=${agent.home}`, agent.file];
    const program = { adapter: 'shell', args };
    const on = { ...program, cwd: agent.home };
    agent.replies(
      { when: 'fails', text: `{"${LONG}": 1}` },
      { when: 'envelope', text: `<output>\n${JSON.stringify(ENVELOPE)}\n---\n## ${LONG}\n\n${WORDS}\n</output>` },
      { tools: [PLAN], text: WORDS },
    );
    const facts = JSON.stringify({ facts: [WORDS, LONG], score: 7 });
    claude.replies({ text: `\`\`\`json\n${facts}\n\`\`\`` });
    const question = { question: WORDS, options: [WORDS.slice(0, 190), LONG, 'no'], context: WORDS };
    const says = JSON.stringify({ type: 'QUESTION', data: question });
    const asking = await sh(`cat <<'END'\n\`\`\`orchestrator-message\n${says}\n\`\`\`\nEND\ncat`, '--name', LONG);
    const item = await openItem(asking);
    await client.call('session.tag', { session: asking.id, add: [LONG.slice(0, 30)] });
    await client.call('blueprint.create', { name: 'task-validator', ...program });
    const name = LONG.slice(0, 40);
    await client.call('blueprint.create', { name, ...program, description: WORDS, output_schema: SCHEMA });
    const failed = await client.call('run.start', { ...on, prompt: `It fails ${WORDS}`, output_schema: SCHEMA });
    const enveloped = await client.call('run.start', { ...on, prompt: `an envelope`, output_format: 'envelope' });
    const task = await client.call('task.create', { prompt: WORDS, cwd: agent.home });
    const workflow = await client.call('workflow.run', {
      agentfile: AGENTFILE,
      input: { topic: WORDS },
      adapter: 'claude',
      cwd: claude.home,
      env: claude.env,
    });
    for (const { id } of [failed, enveloped]) await client.call('run.wait', { run: id });
    return [
      `inbox/${item.id}`,
      `sessions/${asking.id}`,
      `recordings/${asking.id}`,
      `agents/${name}`,
      `runs/${failed.id}`,
      `runs/${enveloped.id}`,
      `tasks/${task.id}`,
      `workflows/${workflow.id}`,
      'events/1',
    ];
  }

  test.each(['lists', 'missing', 'details'] as const)(
    'cuts nothing off, covers nothing and is accessible: %s',
    { timeout: 180_000 },
    async (group) => {
      const { daemon, page } = web;
      await signIn(page, daemon, 'envelopes');
      const envelope = await page.locator('main a[href*="/envelopes/"]').first().getAttribute('href');
      if (group === 'details' && envelope) paths.details.push(envelope.replace('/ui/', ''));
      const found: string[] = [];
      for (const path of paths[group]) {
        await go(page, path);
        await page.locator('main :is(h1, h2):visible').first().waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: width < 700 ? 640 : Math.round(width * 0.6) });
          const wrong = await faultsOf(page, width <= MAX_TOUCH_WIDTH);
          found.push(...wrong.map((fault) => `${path} at ${width} px: ${fault}`));
        }
        await page.setViewportSize({ width: 360, height: 640 });
        for (const colorScheme of ['dark', 'light'] as const) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await accessibilityFaults(page)).map((fault) => `${path}, ${colorScheme}: ${fault}`));
        }
      }
      expect(found).toEqual([]);
    },
  );
});
