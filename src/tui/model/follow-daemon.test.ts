import { expect, test } from 'vitest';
import { aSnapshot, events } from '../../../test/tui/data.js';
import type { Client } from '../../client/index.js';
import { followDaemon } from './follow-daemon.js';
import type { ModelInput } from './model.js';

/** Follows a daemon that returns these event streams, one after the other. The last one stays open. */
function follow(lastSeq: number, ...streams: object[][]): Promise<ModelInput[]> {
  const snapshot = aSnapshot({ sessions: [], items: [] });
  const replies: Record<string, unknown> = {
    'daemon.status': { ...snapshot.status, last_seq: lastSeq },
    'session.list': [],
    'inbox.list': [],
  };
  const end = new AbortController();
  let opened = 0;
  const client = {
    call: async (name: string) => replies[name],
    async *events() {
      opened++;
      yield* streams[opened - 1] ?? [];
      if (opened >= streams.length) end.abort();
    },
  } as unknown as Client; // the methods that followDaemon calls
  const taken: ModelInput[] = [];
  const take = (input: ModelInput): void => {
    if (!end.signal.aborted) taken.push(input);
  };
  return followDaemon({ client, take, lastSeq: () => 0, now: () => 0, signal: end.signal }).then(() => taken);
}
const kinds = (inputs: readonly ModelInput[]): string[] => inputs.map(({ kind }) => kind);

const numbered = (seq: number): object => ({ ...events.state('ses_1', 'working'), seq });

test('takes events up to the snapshot at once as history, and later ones one by one', async () => {
  const taken = await follow(12, [numbered(11), numbered(12), numbered(13), numbered(14)]);
  expect(kinds(taken)).toEqual(['snapshot', 'history', 'event', 'event']);
  expect(taken[1]).toMatchObject({ events: [{ seq: 11 }, { seq: 12 }] });
});

test('ignores a gap before the snapshot', async () => {
  const taken = await follow(12, [{ event_type: 'gap', from: 1, to: 10 }, numbered(13)]);
  expect(kinds(taken)).toEqual(['snapshot', 'event']);
});

test('loads a new snapshot at once after a gap beyond the snapshot', async () => {
  const taken = await follow(12, [{ event_type: 'gap', from: 10, to: 20 }], [numbered(21)]);
  expect(kinds(taken)).toEqual(['snapshot', 'snapshot', 'event']);
});

test('reports a daemon that stops replying as away, and follows it again when it replies', async () => {
  const snapshot = aSnapshot({ sessions: [], items: [] });
  const end = new AbortController();
  let asked = 0;
  let opened = 0;
  const client = {
    async call(name: string) {
      if (name !== 'daemon.status') return [];
      if (++asked === 3) throw new Error('it gave no reply');
      return { ...snapshot.status, last_seq: 0 };
    },
    async *events({ signal }: { signal: AbortSignal }) {
      if (++opened === 2) {
        end.abort();
        return;
      }
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  } as unknown as Client; // the methods that followDaemon calls
  const taken: ModelInput[] = [];
  const take = (input: ModelInput): void => {
    if (!end.signal.aborted) taken.push(input);
  };
  const pulse = (signal: AbortSignal): Promise<unknown> =>
    opened < 2 ? Promise.resolve() : new Promise((_, reject) => signal.addEventListener('abort', reject));
  await followDaemon({ client, take, lastSeq: () => 0, now: () => 0, signal: end.signal, pulse });
  expect(taken).toMatchObject([{ kind: 'snapshot' }, { kind: 'away', why: 'it gave no reply' }, { kind: 'snapshot' }]);
});
