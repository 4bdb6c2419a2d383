import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { PreparedChannel } from '../../hub/channels/index.js';
import type { TerminalChannel } from '../../hub/index.js';
import { ShownTerminals, type ShownTerminalsPorts } from './shown-terminals.js';
import type { TerminalOpening } from './terminal-opening.js';

const VIEWER = { from: 'laptop', by: 'ann@laptop' };
const OPENING: TerminalOpening = { session: 'web', read_only: false, painted: true, channel: 'c', key: 'k' };

/** A machine whose server replies to subscriptions when `reply` is called. */
function machine() {
  const closed: string[] = [];
  let [begun, cancelled] = [0, 0];
  const waiting: (() => void)[] = [];
  const prepared = (): PreparedChannel => ({
    id: 'c',
    key: `key${begun}`,
    cancel: () => void cancelled++,
    begin() {
      begun++;
      const channel = Object.assign(new EventEmitter(), {
        close(_code: number, reason: string) {
          closed.push(reason);
          channel.emit('close');
        },
      });
      return channel as unknown as TerminalChannel; // the part that is used
    },
  });
  const member = {
    terminal: () => new Promise<PreparedChannel>((resolve) => waiting.push(() => resolve(prepared()))),
  };
  const ports = { registry: { session: () => ({ id: 'ses_1' }) } } as unknown as ShownTerminalsPorts; // likewise
  return {
    member,
    closed,
    shown: new ShownTerminals(ports),
    reply: () => {
      for (const go of waiting.splice(0)) go();
    },
    counts: () => ({ begun, cancelled }),
  };
}

test('commands that open one channel at the same time open it once', async () => {
  const { shown, member, reply, counts, closed } = machine();
  const opened = [shown.open(member, VIEWER, OPENING), shown.open(member, VIEWER, OPENING)];
  reply();
  expect(await Promise.all(opened)).toEqual([{ key: 'key0' }, { key: 'key0' }]);
  expect(counts()).toEqual({ begun: 1, cancelled: 0 });
  shown.closeOf('laptop');
  expect(closed).toHaveLength(1);
});

test('a terminal is not opened for a machine that has lost its key meanwhile', async () => {
  const { shown, member, reply, counts } = machine();
  const opened = shown.open(member, VIEWER, OPENING);
  shown.closeOf('laptop');
  reply();
  await expect(opened).rejects.toMatchObject({ code: 'ORCHD_HUB_FORBIDDEN' });
  expect(counts()).toEqual({ begun: 0, cancelled: 1 });
});
