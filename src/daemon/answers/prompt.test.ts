import { expect, test } from 'vitest';
import type { HostClient } from '../../host/index.js';
import type { ScreenView } from '../../session/adapters/index.js';
import type { SessionEntry } from '../registry/index.js';
import { waitsAtPrompt } from './prompt.js';

const VIEW: ScreenView = {
  rows: ['a picture', '> '].map((text) => ({ text, bright: text, ground: () => 0 })),
  title: '',
  cursor: { x: 2, y: 1 },
};

test.each([
  ['prints lines', null, false, true],
  ['has painted text before its cursor', VIEW, false, true],
  ['has a line editor with an empty prompt', { ...VIEW, cursor: { x: 0, y: 1 } }, true, true],
  ['has painted nothing before its cursor', { ...VIEW, cursor: { x: 0, y: 1 } }, false, false],
  ['hides its cursor', { ...VIEW, cursor: null }, false, false],
] as const)(
  'a program that %s: the daemon asks the host for the terminal mode only if a prompt is possible',
  async (...of) => {
    const [, view, hasBracketedPaste, isAsked] = of;
    const asked: string[] = [];
    const host = {
      call: async (name: string) => {
        asked.push(name);
        return { canonical: true };
      },
    };
    const entry = {
      id: 'ses_1',
      aggregate: { session: { state: 'running', open_items: 0 } },
      hearing: { painter: () => null, view: () => view },
      keeper: { hasBracketedPaste },
    };
    // the terminal is canonical, and no process reads
    expect(
      await waitsAtPrompt(entry as unknown as SessionEntry, () => null, host as unknown as HostClient, false),
    ).toBe(false);
    expect(asked).toEqual(isAsked ? ['terminal'] : []);
  },
);

test('a program that waits for an answer: its processes are not looked at', async () => {
  const entry = { aggregate: { session: { state: 'waiting', open_items: 1 } } };
  const foreground = () => expect.fail('the foreground process was read');
  // neither the hearing nor the host is asked
  expect(await waitsAtPrompt(entry as unknown as SessionEntry, foreground, {} as HostClient, false)).toBe(false);
});
