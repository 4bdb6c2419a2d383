/**
 * Replays recordings in which orchd once misread an input line (fixtures/input-lines) and checks what it reads now. The
 * input events are what orchd and the user typed at that time.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  asWords,
  composerStanding,
  draftAfter,
  findTyped,
  findUnsent,
  NO_DRAFT,
  type Picture,
  standsIn,
  withoutTypedBlanks,
} from '../../src/lifecycle/index.js';
import { requireAdapter } from '../../src/session/adapters/index.js';
import { createHearing, parseCast } from '../../src/session/index.js';
import { createRecorder, type Happening } from '../../src/session/recordings/made-journal.js';
import { Screen } from '../../src/terminal/index.js';
import { recordingsIn } from '../recordings.js';

const FOLDER = join(import.meta.dirname, '../../fixtures/input-lines');

interface Moment {
  /** The text that is typed now; null at the end. */
  readonly typed: string | null;
  readonly composer: string | null;
  readonly sight: Parameters<typeof composerStanding>[0] | null;
  readonly picture: Picture;
}

/** The moments right before each input, and the end. */
function momentsOf(name: string, adapter: string): Moment[] {
  const text =
    recordingsIn(FOLDER)
      .find((recording) => recording.name === `${name}.cast`)
      ?.text() ?? '';
  const reading = parseCast(text);
  if (!reading.ok) throw new Error(reading.message);
  const { cols, rows, events } = reading.cast;
  const record = createRecorder();
  const hearing = createHearing({ adapter });
  const screen = new Screen({ cols, rows, scrollbackLines: 0 });
  const push = (happening: Happening) => hearing.push(record(happening));
  const moments: Moment[] = [];
  const rest = (): void => {
    const tick = hearing.wantsTick();
    if (tick) push({ kind: 'tick', quietMs: tick.quietMs });
  };
  const look = (typed: string | null): void => {
    const signal = hearing.signal();
    const picture = { rows: screen.look({}), cursor: screen.cursor };
    moments.push({ typed, composer: signal?.composer ?? null, sight: signal, picture });
  };
  push({ kind: 'start', sessionId: 's', command: [adapter], cwd: '/', pid: 1, cols, rows });
  for (const { kind, data } of events) {
    rest();
    if (kind === 'o') {
      push({ kind: 'out', bytes: Buffer.from(data) });
      screen.feed(Buffer.from(data));
    } else if (kind === 'i') {
      look(data);
      const submits = data.endsWith('\r');
      push({ kind: 'input', phase: 'begin', writeId: null, text: data, length: data.length, submits });
    }
  }
  rest();
  look(null);
  screen.dispose();
  return moments;
}

describe('composer reading', () => {
  test('finds an empty composer if an emoji was left behind the cursor (OpenCode)', () => {
    const moments = momentsOf('opencode', 'opencode');
    expect(moments.at(-1)?.picture.rows.join('\n')).toMatch(/┃ +👦/u);
    expect(moments.at(-1)?.composer).toBe('');
  });
  test('finds an empty composer if emoji damaged the row above it (Copilot CLI)', () => {
    const moments = momentsOf('copilot-emoji', 'copilot');
    const next = moments.find(({ typed }) => typed?.includes('Yes, go on.'));
    expect(next?.picture.rows.join('\n')).toMatch(/^╻▀{10,}.*\n┃ *\n╹▀{10}/mu);
    expect(next?.composer).toBe('');
  });
  test('treats any placeholder as an empty composer (Kilo)', () => {
    const [first] = momentsOf('kilo', 'kilo');
    expect(first?.picture.rows.join('\n')).toContain('Ask anything... "Fix a TODO in the codebase"');
    expect(first?.composer).toBe('');
  });
  test('reports changed text after a completion consumed the Enter key (Codex)', () => {
    const last = momentsOf('codex', 'codex').at(-1);
    expect(last?.composer).toBe('look at README.md');
    expect(last?.sight && composerStanding(last.sight, 'look at @README')).toBe('changed');
  });
});

test.each(['copilot', 'gemini'])('a draft is known from its keys before the program paints it (%s)', (name) => {
  const moments = momentsOf(name, name);
  const answer = moments.findIndex(({ typed }) => typed?.includes('blue please'));
  expect(moments[answer]?.composer).toBe('');
  const draft = moments.slice(0, answer).reduce((before, { typed }) => draftAfter(before, typed ?? ''), NO_DRAFT);
  expect(draft.text).toBe('half a thought');
});

test.each([
  ['claude-exit', 'claude', 'exit'],
  ['claude-q', 'claude', ':q'],
  ['copilot-exit', 'copilot', 'exit'],
])('an answer that ended the agent is typed with different spacing next time (%s)', (name, agent, word) => {
  const moments = momentsOf(name, agent);
  const typed = moments.findLast((moment) => moment.typed !== null)?.typed;
  expect(typed).toBe(`\x1b[200~${word}\x1b[201~\r`);
  expect(moments.at(-1)?.picture.rows.join('\n')).toContain('--resume');
  const now = asWords(word, requireAdapter(agent).input);
  expect(now).not.toBe(word);
  expect(withoutTypedBlanks(now)).toBe(word);
});

test('unsent text in an unknown input line is detected until Enter is pressed alone (Continue)', () => {
  const moments = momentsOf('continue', 'shell');
  const answers = moments.flatMap(({ typed }, at) => (typed && /^[^\x1b]+\r$/.test(typed) ? [at] : []));
  expect(answers.length).toBeGreaterThanOrEqual(5);
  for (const at of answers) {
    const [before, unsent, after] = moments.slice(at, at + 3);
    const text = before?.typed?.replace('\r', '') ?? '';
    const place = before && unsent && findTyped(text, before.picture, unsent.picture);
    expect(place?.shown, text).toContain(text.trim());
    expect(place && standsIn(place, unsent.picture).standing, text).toBe('stands');
    // If the text was not seen before Enter, the frame around it shows that it is in the input line.
    expect(before && unsent && findUnsent(text, before.picture, unsent.picture)?.shown, text).toContain(text.trim());
    if (unsent?.typed === '\r' && before && after) expect(findUnsent(text, before.picture, after.picture)).toBeNull();
    if (unsent?.typed === '\r' && after) expect(place && standsIn(place, after.picture).standing, text).toBe('left');
  }
});
