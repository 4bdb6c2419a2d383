/** Tests the inbox in a browser: Debian's chromium, a real daemon, and programs that ask. */
import { describe, expect, test } from 'vitest';
import type { Item } from '../../src/protocol/index.js';
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
import { startDaemon } from '../harness/daemon.js';

const asks = (data: object): string =>
  `cat <<'END'\n\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data })}\n\`\`\`\nEND\n` +
  'read answer; echo "I was told: $answer"; cat';

describe.skipIf(chromiumPath === null)('the inbox page', () => {
  const web = useDashboard();

  const ask = async (data: object): Promise<Item> => web.daemon.openItem(await web.daemon.sh(asks(data)));
  const answered = (item: Item) => web.daemon.event('item_answered', (event) => event.item_id === item.id);

  test('a new question appears, an option answers it, and the page shows the delivery', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon);
    const item = await ask({
      question: 'Which **database**?',
      options: ['PostgreSQL', 'SQLite'],
      context: 'A `small` one.',
    });
    await page.getByRole('link', { name: 'Which database?' }).click();
    await page.locator('.question strong', { hasText: 'database' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'SQLite' }).click();
    expect(await answered(item)).toMatchObject({ answer: { text: 'SQLite', option: 2, by: 'web' } });
    await page.locator('[data-delivery="acknowledged"]').waitFor();
    await page.getByText('in the dashboard').waitFor();
    const { stdout } = await daemon.orchd('capture', item.session_id);
    expect(stdout).toContain('I was told: SQLite');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Explain' }).click();
    await page.waitForURL(`**/ui/events/${item.id}`);
    await page.goBack();
    await page.locator('.asker a').click();
    await page.waitForURL(`**/ui/sessions/${item.session_id}`);
  });

  test('the first question stays beside the list when it is answered elsewhere while an answer is written', async () => {
    const { daemon, page } = web;
    await ask({ question: 'Asked first?' });
    await ask({ question: 'Asked second?' });
    const [first] = await daemon.client.call('inbox.list', {});
    await signIn(page, daemon);
    const shown = page.getByRole('region', { name: 'Question', exact: true });
    const words = await shown.locator('.question').textContent();
    await page.getByRole('textbox').fill('half an answer');
    await daemon.client.call('inbox.answer', { item: first?.id ?? '', text: 'mine', by: 'bob' });
    await shown.getByText('bob').waitFor();
    expect(await shown.locator('.question').textContent()).toBe(words);
  });

  test('the keyboard alone can choose an option, write an answer and decline', async () => {
    const { daemon, page } = web;
    const [first, second, third] = [
      await ask({ question: 'First?', options: ['yes', 'no'] }),
      await ask({ question: 'Second?' }),
      await ask({ question: 'Third?' }),
    ];
    await signIn(page, daemon);
    for (const [item, keys] of [
      [first, async () => page.keyboard.press('2')],
      [
        second,
        async () => {
          await page.keyboard.press('a');
          await page.keyboard.type('my own words');
          await page.keyboard.press('Control+Enter');
        },
      ],
      [
        third,
        async () => {
          await page.keyboard.press('x');
          await page.keyboard.press('Enter');
        },
      ],
    ] as const) {
      await go(page, `inbox/${item.id}`);
      await page.locator('.answer').waitFor();
      await keys();
      await answered(item);
    }
    const texts = await Promise.all(
      [first, second, third].map(async ({ id }) => (await daemon.client.call('inbox.show', { item: id })).answer),
    );
    expect(texts).toMatchObject([{ text: 'no' }, { text: 'my own words' }, { declined: true }]);
  });

  test('an answer that is not typed yet is taken back, and the next one is typed instead', async () => {
    const { daemon, page } = web;
    const item = await ask({ question: 'Which colour?' });
    // A draft of the person in the input line holds the answer back.
    await daemon.client.call('session.send', { session: item.session_id, text: 'half', enter: false });
    await signIn(page, daemon, `inbox/${item.id}`);
    const answer = async (text: string) => {
      await page.getByRole('textbox').fill(text);
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.locator('[data-delivery="stalled"]').waitFor();
    };
    await answer('red');
    await expectAccessible(page);
    await page.keyboard.press('u');
    await answer('green');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await answer('blue');
    await page.getByRole('button', { name: 'Clear its input line' }).click();
    await page.locator('[data-delivery="acknowledged"]').waitFor();
    expect(await page.getByRole('button', { name: 'Take it back' }).count()).toBe(0);
    const { stdout } = await daemon.orchd('capture', item.session_id);
    expect(stdout).toContain('I was told: blue');
    expect(stdout).not.toContain('I was told: red');
  });

  test('the first of two tabs and a phone to answer wins, and the others show who answered', async () => {
    const { daemon, browser, context, page } = web;
    const item = await ask({ question: 'Who is faster?', options: ['left', 'right'] });
    const phone = await browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
    const small = await newPage(phone);
    await Promise.all([signIn(page, daemon), signIn(small, daemon, '', { name: 'phone', role: 'answer' })]);
    await Promise.all([go(page, `inbox/${item.id}`), go(small, `inbox/${item.id}`)]);
    await page.getByRole('button', { name: 'left' }).waitFor();
    const tab = await newPage(context);
    await tab.goto(page.url());
    await tab.getByRole('textbox').fill('half of an answer');
    expect(await small.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await expectAccessible(small);
    await small.getByRole('button', { name: 'right' }).click();
    for (const one of [page, tab]) {
      await one.getByText('by phone, in the dashboard').waitFor();
      expect(await one.getByRole('button', { name: 'left' }).count()).toBe(0);
    }
    expect(problems.get(small)).toEqual([]);
    await phone.close();
  });

  test('the page reconnects after a daemon restart without a reload and shows new questions', async () => {
    const { page } = web;
    const other = await startDaemon({ flags: ['--port', '0'] });
    try {
      await signIn(page, other);
      const { port } = new URL(page.url());
      await page.evaluate('globalThis.sameDocument = true');
      const session = await other.sh(`read start; ${asks({ question: 'Asked while you were away?' })}`);
      await other.orchd('stop', '--keep-sessions');
      await page.locator('[data-connection="away"]').waitFor();
      await other.orchd('start', '--port', port);
      await other.client.call('session.keys', { session: session.id, keys: ['Enter'] });
      await page.getByText('Asked while you were away?').first().waitFor();
      await page.locator('[data-connection="live"]').waitFor();
      expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
    } finally {
      await other.close();
    }
  });

  test("an agent's text cannot run scripts, load images or hide anything on the page", async () => {
    const { daemon, page } = web;
    const nasty = [
      '<script>globalThis.ran = 1</script>',
      '<img src=x onerror="globalThis.ran = 1">',
      '<svg onload="globalThis.ran = 1"><style>*{display:none}</style></svg>',
      '[link](javascript:globalThis.ran=1) [data](data:text/html,x) ![pic](http://127.0.0.1:1/x.png)',
      '<a href="http://evil.example" style="position:fixed;inset:0">over all</a>',
      '[http://good.example](http://evil.example)',
      'a\u202Egnp.exe and Yes\u200B',
    ].join('\n\n');
    const loads: string[] = [];
    page.on('request', (request) => loads.push(request.url()));
    const item = await ask({ question: nasty, context: nasty, options: [nasty.slice(0, 200), 'Yes', 'Yes\u200B'] });
    await signIn(page, daemon, `inbox/${item.id}`);
    await page.locator('.answer').waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await page.locator('.prose :is(script, img, svg, style, iframe, object), .prose [style]').count()).toBe(0);
    const links = `[...document.querySelectorAll('.prose a')].map((link) => link.getAttribute('href'))`;
    const hrefs = (await page.evaluate(links)) as string[];
    expect(hrefs).toContain('http://evil.example');
    expect(hrefs.filter((href) => !/^https?:/.test(href))).toEqual([]);
    // The page shows the link's target.
    expect(await page.locator('.question').textContent()).toContain('(http://evil.example)');
    const options = await page.locator('.option').allInnerTexts();
    expect(new Set(options.map((text) => text.replace(/^\d\s*/, ''))).size).toBe(3);
    const own = new URL(page.url()).origin;
    expect(loads.filter((at) => !at.startsWith(own))).toEqual([]);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('button', { name: 'Decline it' }).click();
    await answered(item);
  });

  test('a link works once, a second browser is told how to get one, and signing out ends the first', async () => {
    const { daemon, browser, page } = web;
    const { url } = await daemon.client.call('web.link', {});
    await page.goto(url);
    await page.locator('[data-connection="live"]').waitFor();
    expect(page.url()).not.toContain('code=');
    const other = await browser.newContext();
    const late = await newPage(other);
    await late.goto(url);
    await late.getByText('This link does not work any more').waitFor();
    await expectAccessible(late);
    await other.close();
    const before = (await daemon.client.call('web.list', {})).length;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Open the dashboard from a terminal').waitFor();
    expect(await daemon.client.call('web.list', {})).toHaveLength(before - 1);
  });

  test('the palette and the list of keys open by keyboard and lead to pages', async () => {
    const { daemon, page } = web;
    const item = await ask({ question: 'Where is the needle?' });
    await signIn(page, daemon);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('needle');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/ui/inbox/${item.id}`);
  });

  test('both themes are accessible without questions', async () => {
    const { page } = web;
    const empty = await startDaemon({ flags: ['--port', '0'] });
    try {
      await signIn(page, empty);
      await page.getByText('No agent waits for you').waitFor();
      await expectAccessible(page, BOTH_THEMES);
    } finally {
      await empty.close();
    }
  });
});
