import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { expectStraight } from '../../test/harness/expect-straight.js';
import { ABOUT_TUI, anItem, aSession, aSnapshot, at, events } from '../../test/tui/data.js';
import { THEME_NAMES } from '../protocol/config/config.js';
import type { Event, Size } from '../protocol/index.js';
import { Picture } from './app.js';
import type { Key } from './input/key-reader.js';
import type { OnHub } from './model/other-machines.js';
import { createPaint } from './paint/paint.js';
import { RowMarks } from './paint/row-marks.js';
import { RowMarksContext } from './paint/rows-view.js';
import { widthOf } from './paint/text.js';
import { THEMES, type ThemeName } from './paint/themes.js';
import { targetAt } from './view/regions.js';
import { createStore, type State, type Store } from './view/store.js';

afterEach(cleanup);

const SGR = /\x1b\[[0-9;]*m/g;
const NORMAL = { cols: 80, rows: 24 };

interface Options {
  readonly size?: Size;
  readonly env?: NodeJS.ProcessEnv;
  readonly snapshot?: Parameters<typeof aSnapshot>[0];
  readonly hub?: OnHub;
  readonly events?: readonly Event[];
  readonly keys?: string;
  readonly theme?: ThemeName;
}

/**
 * Renders the TUI after a snapshot, events and keys, half a minute later. In `keys`, `<` is Enter, `|` is Alt-Enter and
 * `^` is ↑.
 */
function picture({ size = NORMAL, env = {}, snapshot, hub, events: told = [], keys = '', theme }: Options) {
  let now = at(30);
  const store: Store = createStore({ size, paint: createPaint(env, theme), now: () => now, ...ABOUT_TUI });
  if (snapshot) store.take({ kind: 'snapshot', snapshot: aSnapshot(snapshot), at: at(0) });
  if (hub) store.take({ kind: 'machines', hub, at: at(0) });
  for (const event of told) store.take({ kind: 'event', event });
  for (const char of keys) {
    now += 1_000;
    store.press(toKey(char));
  }
  store.close();
  const { lastFrame } = render(<Picture state={store.get()} />);
  const frame = lastFrame() ?? '';
  const text = frame.replaceAll(SGR, '');
  expect(markedText(store.get())).toBe(text);
  return { frame, lines: frame.split('\n'), text, store };
}

/** Returns the text of a frame that Ink has laid out without reading the rows, as the TUI does it. */
function markedText(state: State): string {
  const marks = new RowMarks(() => state.size.cols);
  const { lastFrame } = render(
    <RowMarksContext value={marks}>
      <Picture state={state} />
    </RowMarksContext>,
  );
  return marks.expand(lastFrame() ?? '').replaceAll(SGR, '');
}

const NAMED: Readonly<Record<string, Key>> = {
  '<': { kind: 'named', name: 'enter' },
  '|': { kind: 'named', name: 'enter', with: 'alt' },
  '^': { kind: 'named', name: 'up' },
  '\t': { kind: 'named', name: 'tab' },
};
const toKey = (char: string): Key => NAMED[char] ?? { kind: 'char', text: char };

const question = anItem({
  data: {
    question: 'Which authentication method should I use?',
    options: ['JWT', 'Session-based', 'OAuth2'],
    context: 'There is none yet.',
  },
});

describe('the TUI', () => {
  it('draws its frame before it is connected', () => {
    const { text } = picture({});
    expect(text).toContain('connecting …');
    expect(text).toContain('Inbox');
    expectStraight(text, 80);
  });

  it('explains how to start if no session runs', () => {
    const { text } = picture({ snapshot: {} });
    expect(text).toContain('Nothing waits for you.');
    expect(text).toContain('Nothing runs yet.');
    expect(text).toContain('orchd run -- CMD');
    expect(text).toContain('e starts three scripted agents: the demo');
  });

  it('shows items and sessions with mark, state, progress, step and badges', () => {
    const sessions = [
      aSession({
        state: 'waiting',
        progress: 50,
        current_step: 'Writing',
        last_error: { message: 'x', severity: 'error' },
      }),
      aSession({ id: 'ses_b', name: 'docs', state: 'failed', exit_code: 2, ended_at: new Date(at(20)).toISOString() }),
    ];
    const { text } = picture({ snapshot: { sessions, items: [question] } });
    expect(text).toMatch(/› \? question\s+auth\s+Which authentication method should I use\?\s+30s/);
    expect(text).toMatch(/\? waiting\s+auth\s+████░░░░\s+50%\s+Writing\s+error · 1 open/);
    expect(text).toMatch(/✗ failed\s+docs\s+exit code 2, 10s ago/);
    expect(text).toContain('1 session · 1 open');
    expectStraight(text, 80);
  });

  it('counts the sessions and the open items of all machines', () => {
    const build = { machine: 'build', away: false, age_ms: 0 };
    const session = aSession({ id: 'ses_b', name: 'api' });
    const item = { ...anItem({ id: 'itm_2' }), session_id: 'ses_b' };
    const hub = { own: 'laptop', sessions: [{ ...build, session }], items: [{ ...build, item }] };
    const { text } = picture({ snapshot: { sessions: [aSession()], items: [question] }, hub });
    expect(text).toContain('2 sessions · 2 open');
  });

  it('shows a question completely, with its context and numbered options', () => {
    const { text } = picture({ snapshot: { sessions: [aSession()], items: [question] }, keys: '<' });
    expect(text).toContain('Question from auth');
    expect(text).toContain('There is none yet.');
    expect(text).toMatch(/1 {2}JWT/);
    expect(text).toMatch(/3 {2}OAuth2/);
    expect(text).toContain('1–3 answer with it');
    expectStraight(text, 80);
  });

  it('names the letters of the options after the ninth among the keys', () => {
    const options = (count: number) => Array.from({ length: count }, (_, i) => `o${i + 1}`);
    const hints = (count: number) => {
      const item = anItem({ data: { question: 'Which?', options: options(count) } });
      return picture({ snapshot: { sessions: [aSession()], items: [item] }, keys: '<' }).text;
    };
    expect(hints(1)).toContain(' 1 answer with it');
    expect(hints(10)).toContain('1–9 A answer with it');
    expect(hints(12)).toContain('1–9 A–C answer with it');
    const item = anItem({ data: { question: 'Which?', options: options(14) } });
    const small = { snapshot: { sessions: [aSession()], items: [item] }, keys: '<', size: { cols: 80, rows: 18 } };
    expect(picture({ ...small, keys: '<^' }).text).toMatch(/ \d–9 A–E answer with it/);
  });

  it('counts down to the default answer', () => {
    const item = anItem({ data: { question: 'Go?', default: 'yes', deadlineSeconds: 75 } });
    const { text } = picture({ snapshot: { sessions: [aSession()], items: [item] }, keys: '<' });
    expect(text).toContain('0:44 left, then “yes” is the answer');
  });

  it('shows the suggestion of a blocked agent', () => {
    const data = { reason: 'No access', details: 'It says `403`.', suggestedAction: 'Check the token' };
    const { text } = picture({
      snapshot: { sessions: [aSession()], items: [anItem({ type: 'BLOCKED', data })] },
      keys: '<',
    });
    expect(text).toContain('Blocked from auth');
    expect(text).toMatch(/Suggested\s+Check the token/);
    expect(text).toContain('It says `403`.');
  });

  it('offers the two answers of a review, and a text for changes', () => {
    const data = { description: 'Ready', files: ['a.ts', 'b.ts'], notes: 'Short' };
    const snapshot = { sessions: [aSession()], items: [anItem({ type: 'REQUEST_REVIEW', data })] };
    const { text } = picture({ snapshot, keys: '<' });
    expect(text).toMatch(/1 {2}approve/);
    expect(text).toMatch(/2 {2}request changes: …/);
    expect(text).toMatch(/Files\s+a\.ts/);
    expect(picture({ snapshot, keys: '<2日本' }).text).toContain('request changes: 日本');
  });

  it('shows the delivery of an answer, and why it stalled', () => {
    const told = [events.answered('itm_1', 'ses_a', 'JWT', 'tui'), events.written('itm_1', 'ses_a')];
    const snapshot = { sessions: [aSession()], items: [question] };
    expect(picture({ snapshot, events: told, keys: '<' }).text).toContain('✓ accepted → ✓ written → · acknowledged');
    const stalled = [...told, events.stalled('itm_1', 'ses_a', 'not_reading')];
    expect(picture({ snapshot, events: stalled, keys: '<' }).text).toContain('✗ stalled: the program does not read');
    expect(picture({ snapshot, events: stalled }).text).toContain('stalled: the program does not read its');
    const changed = [...told, { ...events.stalled('itm_1', 'ses_a', 'text_changed'), seen: 'JWT 2' }];
    const { text } = picture({ snapshot, events: changed, keys: '<' });
    expect(text).toContain('the agent got another text; its transcript has “JWT 2”');
  });

  it('offers an answer only for an item that can be answered', () => {
    const told = [events.answered('itm_1', 'ses_a', 'JWT', 'cli')];
    const other = anItem({ id: 'itm_2', at: 5 });
    const snapshot = { sessions: [aSession()], items: [question, other] };
    const keyLine = (options: Options) => picture(options).text.split('\n').at(-1);
    expect(keyLine({ snapshot })).toMatch(/Enter open {2}a answer/);
    expect(keyLine({ snapshot, events: told })).not.toMatch(/Enter|answer/);
    expect(keyLine({ snapshot, events: told, keys: '<' })).toContain('Enter next open item');
    const alone = { sessions: [aSession()], items: [question] };
    expect(keyLine({ snapshot: alone, events: told, keys: '<' })).not.toMatch(/Enter|answer/);
    const asked = picture({ snapshot, events: told, keys: 'afq' });
    expect(asked.text).toContain('already answered by cli: “JWT”');
    expect(asked.text).not.toContain('What happened');
  });

  it('shows how to come back before a user attaches, if there is room', () => {
    const snapshot = { sessions: [aSession()] };
    const { text } = picture({ snapshot, size: { cols: 140, rows: 24 } });
    expect(text).toMatch(/Enter attach \(Ctrl-\] d comes back\) .*\? help {2}q quit/);
    expect(picture({ snapshot }).text).toMatch(/Enter attach {2}d details {2}K kill {2}r rename .*\? help/);
  });

  it('asks for confirmation before it declines', () => {
    const { text } = picture({ snapshot: { sessions: [aSession()], items: [question] }, keys: '<x' });
    expect(text).toContain('Decline it?');
  });

  it('shows each event once in the feed', () => {
    const told = [
      events.started('ses_a', 'auth'),
      events.message('ses_a', 'STATUS_UPDATE', { progress: 10, currentStep: 'Reading' }),
      events.message('ses_a', 'QUESTION', { question: 'Which one?' }),
      events.opened('itm_1', 'ses_a'),
      events.answered('itm_1', 'ses_a', 'JWT', 'cli'),
    ];
    const { text } = picture({ snapshot: {}, events: told, keys: 'f' });
    expect(text).toContain('started: ./agent.sh');
    expect(text).toContain('10% Reading');
    expect(text.match(/question: Which one\?/g)).toHaveLength(1);
    expect(text).toContain('answered by cli: “JWT”');
  });

  it('keeps its borders straight, whatever agents print', () => {
    const evil = 'a\x1b[2J\u202eb 日本語 👨‍👩‍👧 👍🏽 ⚠️ e\u0301 \t\r\n'.repeat(8);
    const items = [anItem({ data: { question: evil, options: [evil, 'ok'], context: evil } })];
    const sessions = [aSession({ name: '日本語セッション', current_step: evil, progress: 3 })];
    for (const keys of [
      '',
      '<',
      '<a👨‍👩‍👧日本|日|本',
      '\t',
      'f',
      'fz',
      'z',
      '?',
      ':',
      'n',
      'lK',
      'lr',
      '/日本',
      '<m',
    ]) {
      for (const size of [NORMAL, { cols: 60, rows: 20 }, { cols: 40, rows: 10 }]) {
        const { text, frame } = picture({ size, snapshot: { sessions, items }, keys });
        expectStraight(text, size.cols);
        expect(frame.replaceAll(SGR, '')).not.toMatch(/[\x1b\u202e]/);
      }
    }
  });

  it('shows its panes side by side on a large terminal', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const { text, lines } = picture({ size: { cols: 200, rows: 50 }, snapshot });
    expect(lines).toHaveLength(50);
    expect(text).toMatch(/╭─ Inbox 1 ─+╮╭─ ▸ auth ─+╮/);
    expect(text).toContain('What happened');
    expectStraight(text, 200);
  });

  it('lists every key in the help, which scrolls on a small terminal', () => {
    const tall = picture({ size: { cols: 100, rows: 140 }, snapshot: {}, keys: '?' });
    for (const words of ['to the next item that waits', 'end its program, after y', 'a new line', 'Alt-Enter', '1–9'])
      expect(tall.text).toContain(words);
    expect(tall.text).toContain('any other key goes back');
    const small = picture({ snapshot: {}, keys: '?jjj' });
    expect(small.text).toMatch(/↑ 3 more · ↓ \d+ more/);
    expect(small.text).not.toContain('Items, in the inbox and open');
    expectStraight(small.text, 80);
  });

  it('begins its help with the keys of the present view', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const titles = (keys: string) =>
      picture({ size: { cols: 100, rows: 200 }, snapshot, keys })
        .lines.map((line) => line.replaceAll(SGR, ''))
        .flatMap((line) => /^│ (\S.*?) *│$/.exec(line)?.[1] ?? []);
    expect(titles('l?').slice(0, 2)).toEqual(['The list of sessions', 'Sessions']);
    expect(titles('<?').slice(0, 2)).toEqual(['An open item', 'Items, in the inbox and open']);
    expect(titles('w?').slice(0, 2)).toEqual(['All workflows', 'Workflows']);
    expect(titles('l?').find((title) => title.startsWith('──'))).toMatch(/^── elsewhere ─/);
  });

  it('searches its help by key, name and words, until Escape', () => {
    const size = { cols: 60, rows: 15 };
    const search = picture({ size, snapshot: {}, keys: '?/kill' });
    expect(search.text).toMatch(/Keys with “kill”[\s\S]*K +end its program, after y[\s\S]*keys with: kill/);
    expect(search.text).not.toContain('more');
    expectStraight(search.text, size.cols);
    expect(picture({ size, snapshot: {}, keys: '?/zzz' }).text).toContain('No key has these words: zzz');
    expect(picture({ size, snapshot: {}, keys: '?/kill<' }).text).toContain('Keys with “kill”');
    expect(picture({ size, snapshot: {}, keys: '?/kill<jx' }).text).toContain('Inbox');
    const { store } = picture({ size, snapshot: {}, keys: '?/kill' });
    store.press({ kind: 'ctrl', letter: 'c' });
    expect(store.get().ui.mode).toMatchObject({ kind: 'help', isSearching: false, scroll: 0 });
    store.press({ kind: 'named', name: 'escape' });
    expect(store.get().ui.mode.kind).toBe('browse');
    store.close();
  });

  it('gives rows that the lists do not fill to the screen', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const { lines } = picture({ size: { cols: 120, rows: 40 }, snapshot });
    const at = (title: string) => lines.findIndex((line) => line.replaceAll(SGR, '').startsWith(`╭─ ${title}`));
    expect([at('Inbox'), at('Sessions'), at('▸ auth')]).toEqual([1, 5, 9]);
    expect(lines).toHaveLength(40);
  });

  it('renders a text as markdown, as written after m, and shows its origin', () => {
    const data = { question: 'Which?', context: '**Two** ways:\n- `a_b`\n- c' };
    const item = anItem({ data, origin: { ear: 'screen', from: 120, to: 480 } });
    const snapshot = { sessions: [aSession()], items: [item] };
    const { text } = picture({ size: { cols: 100, rows: 40 }, snapshot, keys: '<' });
    expect(text).toMatch(/Two ways:[\s\S]*• `a_b`[\s\S]*• c/);
    expect(text).toMatch(/from\s+auth \(.\/agent\.sh\)[\s\S]*heard\s+on its screen, bytes 120 to 480/);
    expect(picture({ snapshot, keys: '<m' }).text).toContain('**Two** ways:');
  });

  it('shows all lines of an answer with the cursor', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const { text } = picture({ snapshot, keys: '<aone|two|日本' });
    expect(text).toMatch(/answer: one\s+│\n│ {9}two\s+│\n│ {9}日本 /);
    const small = picture({ size: { cols: 40, rows: 10 }, snapshot, keys: '<aone|two|three|four|five|six' });
    expect(small.text).toContain('six');
    expectStraight(small.text, 40);
  });

  it('shows a form for a new session', () => {
    const { text } = picture({ snapshot: {}, keys: 'nmake > x' });
    expect(text).toMatch(/› Command\s+make > x[\s\S]*Directory\s+\/home\/user\/proj/);
    expect(text).toContain('sh -c');
    for (const size of [NORMAL, { cols: 40, rows: 12 }, { cols: 200, rows: 50 }])
      expectStraight(picture({ size, snapshot: {}, keys: 'n日本' }).text, size.cols);
  });

  it('asks before it kills, shows the filter, and finds actions in the palette', () => {
    const sessions = [aSession(), aSession({ id: 'ses_b', name: 'docs' })];
    expect(picture({ snapshot: { sessions }, keys: 'K' }).text).toContain('End auth (▸ working) and all that');
    const filtered = picture({ snapshot: { sessions }, keys: '/doc' });
    expect(filtered.text).toContain('Sessions · 1 of 2 with “doc”');
    expect(filtered.text).toContain('sessions with: doc');
    const palette = picture({ snapshot: { sessions }, keys: ':ren' });
    expect(palette.text).toMatch(/› rename\s+r\s+give it another name/);
  });

  it('gives columns that only hidden sessions need to the others', () => {
    const command = ['make', 'a-long-target', 'of-the-build'];
    const other = { id: 'ses_b', name: 'a-much-longer-name', progress: 40, tags: ['web', 'urgent'], command: ['true'] };
    const sessions = [aSession({ command, progress: null }), aSession(other)];
    expect(picture({ snapshot: { sessions }, keys: '' }).text).toMatch(/working +auth {30,}make/);
    expect(picture({ snapshot: { sessions }, keys: '/auth' }).text).toMatch(/working +auth {1,4}make a-long-target/);
  });

  it('shows one pane alone with z', () => {
    const { text } = picture({ snapshot: { sessions: [aSession()] }, keys: 'z' });
    expect(text).toContain('▸ auth');
    expect(text).not.toContain('Sessions');
    expect(text).toContain('z lists');
    expect(picture({ snapshot: { sessions: [aSession()] }, keys: 'fz' }).text).toContain('What happened');
  });

  it('finds what is under the mouse in every layout', () => {
    const sessions = [aSession(), aSession({ id: 'ses_b', name: 'docs' })];
    for (const size of [NORMAL, { cols: 200, rows: 50 }, { cols: 60, rows: 14 }]) {
      const { lines, store } = picture({ size, snapshot: { sessions, items: [question] }, keys: 'l' });
      const plain = lines.map((line) => line.replaceAll(SGR, ''));
      const y = plain.findIndex((line) => /working\s+docs/.test(line));
      const x = plain[y]?.indexOf('docs') ?? 0;
      expect(targetAt(store.get(), x, y)).toEqual({ kind: 'list', list: 'sessions', index: 1 });
      expect(targetAt(store.get(), 4, 2)).toEqual({ kind: 'list', list: 'inbox', index: 0 });
      expect(targetAt(store.get(), 4, 0)).toBeNull();
      expect(targetAt(store.get(), 4, size.rows - 1)).toBeNull();
    }
  });

  it('uses only the colours of the theme', () => {
    const snapshot = { sessions: [aSession({ state: 'waiting' })], items: [question] };
    const codes = (theme: ThemeName) => new Set(picture({ snapshot, theme }).frame.match(/\x1b\[[0-9;]+m/g));
    expect(codes('light')).toContain('\x1b[38;5;94m');
    expect(codes('light')).not.toContain('\x1b[33m');
    expect(codes('high-contrast')).toContain('\x1b[93m');
    expect(codes('high-contrast')).not.toContain('\x1b[2m');
    expect([...codes('none')].filter((code) => /\[(3|9|38)/.test(code))).toEqual([]);
    expect(Object.keys(THEMES)).toEqual(THEME_NAMES);
  });

  it('shows what a small terminal hides', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    expect(picture({ size: { cols: 80, rows: 14 }, snapshot }).text).toContain('z: the screen');
    const [line = ''] = picture({ size: { cols: 60, rows: 15 }, snapshot }).text.split('\n');
    expect(line).toContain('z: the screen');
    expect(line).not.toContain('…');
    expect(widthOf(line)).toBeLessThanOrEqual(60);
    const single = picture({ size: { cols: 40, rows: 10 }, snapshot });
    expect(single.text).toContain('l: more');
    expect(single.lines).toHaveLength(10);
    expect(picture({ size: { cols: 20, rows: 5 }, snapshot }).text).toContain('too small');
  });

  it('keeps all options visible on a small terminal, and offers only visible ones', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const { text } = picture({ size: { cols: 40, rows: 10 }, snapshot, keys: '<' });
    expect(text).toMatch(/1 {2}JWT[\s\S]*3 {2}OAuth2/);
    expect(text).toContain('1–3 answer');
    const tiny = picture({ size: { cols: 40, rows: 7 }, snapshot, keys: '<' });
    expect(tiny.text).toContain('1–2 answer');
    expectStraight(tiny.text, 40);
  });

  it('uses no colours with NO_COLOR, and still shows the selection', () => {
    const snapshot = { sessions: [aSession()], items: [question] };
    const { frame, text } = picture({ env: { NO_COLOR: '1' }, snapshot });
    expect(frame.match(/\x1b\[(3|4|9|10)\d[;\d]*m/g)).toBeNull();
    expect(text).toContain('› ? question');
    expect(picture({ snapshot }).frame).toMatch(/\x1b\[3\dm/);
  });

  it('shows that the daemon is away', () => {
    const { store } = picture({ snapshot: { sessions: [aSession()] } });
    store.take({ kind: 'away', why: 'gone' });
    const { lastFrame } = render(<Picture state={store.get()} />);
    expect(lastFrame()).toContain('no daemon: Ctrl-S starts it');
    expect(lastFrame()).toContain('auth');
    store.close();
  });

  it('wraps a question that is confirmed, on a narrow terminal', () => {
    const sessions = [aSession({ name: 'a-session-with-a-long-name' })];
    const { text, lines } = picture({ size: { cols: 60, rows: 15 }, snapshot: { sessions }, keys: '\tK' });
    expect(text.replace(/\s+/g, ' ')).toContain('and all that it started? y: yes, any other key: no');
    expect(lines).toHaveLength(15);
    expectStraight(text, 60);
  });

  it('says before a session is removed that its worktree stays', () => {
    const ended = aSession({ ended_at: '2026-03-01T10:00:00.000Z', state: 'exited' });
    const change = { session_id: ended.id, branch: 'fix', file_count: 1, added: 2, removed: 0 };
    const asked = (changes: readonly (typeof change)[]) => {
      const shown = picture({ snapshot: { sessions: [ended] }, size: { cols: 120, rows: 30 } });
      shown.store.take({ kind: 'changes', changes: [...changes] });
      shown.store.press(toKey('X'));
      return (render(<Picture state={shown.store.get()} />).lastFrame() ?? '').replaceAll(SGR, '');
    };
    expect(asked([])).toContain('(u brings it back)? y: yes');
    expect(asked([change])).toContain('(u brings it back)? A worktree stays (D shows it). y: yes');
  });

  it('wraps a long notice, and scrolls to the selected one of many options', () => {
    const options = Array.from({ length: 14 }, (_, i) => `option ${i + 1}`);
    const many = anItem({ data: { question: 'Which?', options } });
    const { store, text } = picture({ snapshot: { sessions: [aSession()], items: [many] }, keys: '<' });
    expect(text).toMatch(/ 1 {2}option 1 *│\n[\s\S]* A {2}option 10 /);
    store.press({ kind: 'named', name: 'up' });
    const small = { ...store.get(), size: { cols: 60, rows: 15 } };
    expect(render(<Picture state={small} />).lastFrame()).toMatch(/›E [\s\S]*option 14/);
    const long = `the answer was refused: ${'a reason that is long, '.repeat(5)}and this is its end`;
    store.say(long, true);
    const frame = render(<Picture state={store.get()} />).lastFrame() ?? '';
    const shown = frame.replaceAll(SGR, '').split('\n');
    expect(shown.slice(-3).join(' ').replaceAll(/ +/g, ' ')).toContain('and this is its end');
    expect(shown[1]).toContain('Inbox');
    expect(frame.split('\n')).toHaveLength(NORMAL.rows);
    store.close();
  });

  it('keeps the columns of the feed in rows with emoji and wide characters', () => {
    const texts = ['🚀 shipped', '👨‍👩‍👧 and 🇩🇪 are here', '日本語のテキスト', 'plain text', '⚠️ careful '.repeat(20)];
    const told = texts.map((summary, index) =>
      events.message(index % 2 === 0 ? 'ses_a' : 'ses_b', 'TASK_COMPLETE', { summary }),
    );
    const sessions = [aSession({ id: 'ses_a', name: '名前' }), aSession({ id: 'ses_b', name: 'agent' })];
    for (const cols of [60, 80, 120]) {
      const { text } = picture({ size: { cols, rows: 40 }, snapshot: { sessions }, events: told, keys: 'f' });
      const boxes = text.split('\n').slice(1, -1);
      expect(boxes.map(widthOf)).toEqual(boxes.map(() => cols));
      const starts = ['🚀 ship', '日本語', 'plain', '⚠'].map((word) => {
        const row = text.split('\n').find((line) => line.includes(word)) ?? '';
        return widthOf(row.slice(0, row.indexOf(word)));
      });
      expect(starts).toEqual(starts.map(() => starts[0]));
    }
  });
});
