/**
 * A hostile machine of a hub: it publishes under its own name as fast as it was told to. `hub-flood.ts` starts it as a
 * process of its own, with a FloodOrder as JSON in its first argument. It ends by itself.
 */
import { setTimeout } from 'node:timers/promises';
import { createUser } from '@nats-io/nkeys';
import { connect } from '@nats-io/transport-node';
import { signCommand } from '../../../../src/hub/index.js';

export const FLOODS = {
  commands: 'signed commands to a machine',
  goals: 'goals for a label',
  events: 'events of its own',
  items: 'open items of its own',
} as const;
export type FloodKind = keyof typeof FLOODS;

export interface FloodOrder {
  readonly kind: FloodKind;
  readonly port: number;
  readonly from: string;
  readonly to: string;
  readonly label: string;
  /** The seed of its key; absent for a key that no machine has enrolled. */
  readonly seed?: string;
  readonly perSecond: number;
  readonly seconds: number;
}

const EVENTS_OF_MESSAGE = 50;
const PAUSE_MS = 5;
const DAY_MS = 86_400_000;

async function flood({ kind, port, from, to, label, seed, perSecond, seconds }: FloodOrder): Promise<number> {
  const connection = await connect({ servers: `127.0.0.1:${port}` });
  const key = seed === undefined ? createUser().getSeed() : new TextEncoder().encode(seed);
  const id = 'run_0000000000';
  const operation = kind === 'goals' ? 'run.place' : 'inbox.answer';
  const input = { id, item: 'itm_0000000000', text: 'junk '.repeat(20) };
  const command = { id, from, to, by: 'mallory', operation, input, expires_at: Date.now() + DAY_MS };
  const signed = JSON.stringify(signCommand(command, key));
  const timestamp = new Date().toISOString();
  const event = (seq: number): string =>
    JSON.stringify({ seq, event_type: 'message_received', timestamp, session_id: 'ses_x', text: 'junk '.repeat(40) });
  const events = Array.from({ length: EVENTS_OF_MESSAGE }, (_, seq) => event(seq)).join('\n');
  const run = Date.now().toString(36);
  const publish: Record<FloodKind, (at: number) => void> = {
    commands: (at) => connection.publish(`orchd.${to}.mail.command.${from}.${run}${at}`, signed),
    goals: (at) => connection.publish(`orchd.${from}.work.${label}.${run}${at}`, signed),
    events: () => connection.publish(`orchd.${from}.events`, events),
    items: (at) => {
      const item = {
        id: `itm_${run}${at}`,
        session_name: 'x',
        session_id: 'ses_x',
        state: 'open',
        opened_at: timestamp,
      };
      const value = JSON.stringify({ ...item, type: 'QUESTION', text: `${at} ${'junk '.repeat(200)}` });
      connection.publish(`$KV.orchd_items.${from}.itm_${run}${at}`, value);
    },
  };
  let count = 0;
  for (const begun = Date.now(); Date.now() < begun + seconds * 1_000; await setTimeout(PAUSE_MS)) {
    const due = ((Date.now() - begun) / 1_000) * perSecond;
    while (count < due) publish[kind](count++);
    await connection.flush();
  }
  await connection.close();
  return count;
}

const order = process.argv[2];
// Only a process that was forked has a channel; the hard test imports this file, too.
if (order !== undefined && process.send) {
  const count = await flood(JSON.parse(order) as FloodOrder);
  process.send(count);
  process.disconnect();
}
