import { describe, expect, test } from 'vitest';
import { answered, AT as at, finding, play } from '../../../test/harness/session-inputs.js';
import type { AttentionFinding } from '../../ears/index.js';
import type { Input } from './aggregate.js';

const DIALOG = 'Bash command\nrm -r\nbuild\nDo you want to proceed?';
const KEYS = [
  { label: 'Yes', keys: '1' },
  { label: 'Always', keys: '2' },
  { label: 'No', keys: '3' },
];
const CHOICES = ['Yes', 'No', 'No, because: '];

const dialog = (text = DIALOG, choices: AttentionFinding['choices'] = KEYS): Input => {
  const origin = { ear: 'screen', from: 0, to: 9 } as const;
  return finding({ kind: 'attention', source: 'dialog', text, choices, origin, ...at }, 'itm_dialog');
};
const ask = (callId = 'c1', shows: string | null = 'rm -r build'): Input => {
  const origin = { ear: 'hook', from: 0, to: 9 } as const;
  const asked = { callId, shows, choices: CHOICES };
  return finding(
    { kind: 'attention', source: 'hook', text: `Permission: ${shows}`, choices: [], origin, ask: asked, ...at },
    `itm_${callId}`,
  );
};
const over = finding({ kind: 'attention_over', source: 'dialog', wasTyped: false, ...at }, '');
const given = (isTaken: boolean): Input =>
  finding({ kind: 'given', callId: 'c1', isTaken, origin: { ear: 'tool', from: 0, to: 9 }, ...at }, '');
const unasked: Input = { kind: 'unasked', callId: 'c1', time: at.time };
const idle = finding({ kind: 'activity', activity: 'idle', source: 'transcript', ...at }, '');

/** Plays inputs. `all` is without changes of the session's state, and `writes` has what is typed. */
function playAsks(...inputs: Input[]) {
  const { all, allEffects, ...last } = play(...inputs);
  return {
    ...last,
    all: all.filter((type) => type !== 'session_state_changed'),
    writes: allEffects.flatMap(({ kind }) => (kind === 'write' ? [kind] : [])),
    open: last.aggregate.items.map(({ item }) => item),
  };
}

describe('a hook and a dialog that ask for the same permission', () => {
  test.each([
    ['the hook is first', [ask(), dialog()], ['Yes', 'No', 'No, because: ', 'Always']],
    ['the dialog is first', [dialog(), ask()], ['Yes', 'Always', 'No', 'No, because: ']],
  ])(
    'share one item with the dialog’s text and the choices of both, in the order of arrival: %s',
    (_order, inputs, options) => {
      const { open, all } = playAsks(...inputs);
      expect(all).toEqual(['item_opened', 'item_changed']);
      expect(open).toHaveLength(1);
      expect(open[0]).toMatchObject({ call_id: 'c1', awaited: true });
      expect(open[0]?.data).toEqual({ text: DIALOG, source: 'dialog', options });
    },
  );

  test('are answered by the hook if it has the choice, and otherwise by a key in the dialog', () => {
    expect(playAsks(dialog(), ask(), answered('itm_dialog', 1)).writes).toEqual([]);
    expect(playAsks(dialog(), ask(), answered('itm_dialog', 4)).writes).toEqual([]);
    const pressed = playAsks(dialog(), ask(), answered('itm_dialog', 2));
    expect(pressed.writes).toEqual(['write']);
    expect(pressed.open[0]).not.toHaveProperty('awaited');
  });

  test('close their item when the hook takes the answer', () => {
    const { all, open } = playAsks(ask(), dialog(), answered('itm_c1', 1), given(false), given(true), over);
    expect(all.slice(2)).toEqual(['item_answered', 'answer_accepted', 'answer_written', 'answer_acknowledged']);
    expect(open).toEqual([]);
  });

  test('end together when the dialog disappears', () => {
    const { aggregate, all } = playAsks(ask(), dialog(), over);
    expect(all).toEqual(['item_opened', 'item_changed', 'item_withdrawn']);
    expect(aggregate.asks).toBeUndefined();
  });

  test('leave the dialog when the hook ends: options keep their numbers, and those of the hook lose their key', () => {
    const { open, all, aggregate } = playAsks(ask(), dialog(), unasked);
    expect(all).toEqual(['item_opened', 'item_changed']);
    expect(aggregate.items[0]?.keys).toEqual(['1', '3', null, '2']);
    expect(open[0]?.data['options']).toHaveLength(4);
    expect(open[0]).not.toHaveProperty('awaited');
    expect(playAsks(ask(), dialog(), unasked, answered('itm_c1', 1)).writes).toEqual(['write']);
  });

  test('type an answer that the hook did not take, or stall it if the dialog lacks the choice', () => {
    expect(playAsks(ask(), dialog(), answered('itm_c1', 1), unasked).writes).toEqual(['write']);
    const { writes, all } = playAsks(ask(), dialog(), answered('itm_c1', 3), unasked);
    expect({ writes, last: all.at(-1) }).toEqual({ writes: [], last: 'answer_stalled' });
  });
});

describe('a hook', () => {
  test('opens one item without a dialog, even if it calls again', () => {
    const { open, all } = playAsks(ask(), ask());
    expect(all).toEqual(['item_opened']);
    expect(open[0]?.data).toEqual({ text: 'Permission: rm -r build', source: 'hook', options: CHOICES });
  });

  test.each([
    ['the hook is first', [ask(), dialog('1/9', [])]],
    ['the dialog is first', [dialog('1/9', []), ask()]],
  ])('decides if the choices of the dialog cannot be read: %s', (_order, inputs) => {
    const { open } = playAsks(...inputs);
    expect(open).toHaveLength(1);
    expect(open[0]?.data).toMatchObject({ text: 'Permission: rm -r build', options: CHOICES });
  });

  test.each([
    ['the hook is first', [ask('c1', 'rm -r /'), dialog()]],
    ['the dialog is first', [dialog(), ask('c1', 'rm -r /')]],
    ['nothing tells what it is about', [dialog(), ask('c1', null)]],
  ])('is not joined with a dialog about something else: %s', (_order, inputs) => {
    const { open, aggregate } = playAsks(...inputs);
    expect(open).toHaveLength(1);
    expect(open[0]?.data).toEqual({ text: DIALOG, source: 'dialog', options: ['Yes', 'Always', 'No'] });
    expect(open[0]).not.toHaveProperty('call_id');
    expect(aggregate.asks).toMatchObject([{ callId: 'c1', itemId: null }]);
  });

  test('waits behind the dialog of another hook for its own', () => {
    const own = dialog('Bash command\nls\nDo you want to proceed?');
    const { open } = playAsks(ask('c1'), dialog(), ask('c2', 'ls'), over, own);
    expect(open).toMatchObject([{ call_id: 'c2', data: { text: 'Bash command\nls\nDo you want to proceed?' } }]);
  });

  test('that ends without a dialog leaves its item without options', () => {
    const { open, all } = playAsks(ask(), unasked);
    expect(all).toEqual(['item_opened', 'item_changed']);
    expect(open[0]?.data).toEqual({ text: 'Permission: rm -r build', source: 'hook' });
  });

  test('that was never shown is dropped at the end of the turn or the session', () => {
    expect(playAsks(dialog(), ask('c1', 'rm -r /'), over, idle).aggregate.asks).toBeUndefined();
    const lost: Input = { kind: 'lost', reason: 'the host died', time: at.time };
    expect(playAsks(ask(), lost).aggregate.asks).toBeUndefined();
  });
});
