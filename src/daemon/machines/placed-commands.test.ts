import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OutgoingCommand, proofOf, signCommand } from '../../hub/index.js';
import { CommandLog } from './command-log.js';
import { PlacedCommands } from './placed-commands.js';
import { RemoteCalls } from './remote-calls.js';

const seed = createUser().getSeed();

let folder: string;
let commandLog: CommandLog;
let offered: OutgoingCommand[];
let over: unknown[];
let placed: PlacedCommands;
let calls: RemoteCalls;
/** The time of the server. */
let now: number;
let absence: number | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-placed-'));
  [offered, over, now, absence] = [[], [], 1_000_000, 0];
  commandLog = new CommandLog(join(folder, 'commands.jsonl'), () => now);
  const ports = {
    commandLog,
    now: () => now,
    proofOf,
    name: () => 'laptop',
    serverTime: () => now,
    offer: async (command: OutgoingCommand) => void offered.push(command),
    sign: (command: Parameters<typeof signCommand>[0]) => signCommand(command, seed),
  };
  placed = new PlacedCommands({
    ...ports,
    retract: async () => undefined,
    absenceOf: async () => absence,
    onOver: (_command, outcome) => void over.push(outcome),
  });
  calls = new RemoteCalls({ ...ports, onSettled: (...settled) => placed.report(...settled) });
});
afterEach(async () => {
  placed.close();
  await commandLog.close();
  rmSync(folder, { recursive: true, force: true });
});

const place = (to: string) => placed.place(to, { id: 'run_1', for_workflow: 'wfl_1', prompt: 'Look' });
const sentTo = () => offered.map(({ to, id }) => `${to} ${id}`);
const FORGED = { output: { id: 'run_1', state: 'completed' } };

test('a run on a named machine is taken by that machine only', async () => {
  await place('build');
  await placed.onTaken('build', 'run_1', '', null);
  await placed.onTaken('stranger', 'run_1', '', null);
  expect([placed.machineOf('run_1'), sentTo()]).toEqual(['build', ['build run_1']]); // no withdrawal
});

test('work for a label is taken, and its outcome told, by a machine that has read it only', async () => {
  await place('label:gpu');
  const proof = proofOf(offered[0]?.message ?? '');
  await placed.onTaken('stranger', 'run_1', '', null);
  await calls.onOutcome('stranger', 'run_1', FORGED, '');
  expect([placed.machineOf('run_1'), over]).toEqual(['label:gpu', []]);
  await placed.onTaken('gpu-1', 'run_1', proof, null);
  await placed.onTaken('stranger', 'run_1', 'x', null);
  await calls.onOutcome('stranger', 'run_1', FORGED, '');
  expect([placed.machineOf('run_1'), over, sentTo()]).toEqual(['gpu-1', [], ['label:gpu run_1']]);
  await placed.onTaken('gpu-2', 'run_1', proof, null); // gpu-1 was away for too long
  expect(sentTo()).toEqual(['label:gpu run_1', 'gpu-1 withdraw_run_1_gpu-1']);
  await calls.onOutcome('gpu-2', 'run_1', { output: { by: 2 } }, proof);
  expect(over).toEqual([{ output: { by: 2 } }]);
});

test('a machine that tells late that it has taken work is cancelled if another one has taken it after it', async () => {
  await place('label:gpu');
  const proof = proofOf(offered[0]?.message ?? '');
  await placed.onTaken('gpu-2', 'run_1', proof, { seq: 4, count: 2 });
  await placed.onTaken('gpu-1', 'run_1', proof, { seq: 4, count: 1 }); // its daemon was killed before it could tell
  expect([placed.machineOf('run_1'), sentTo()]).toEqual(['gpu-2', ['label:gpu run_1', 'gpu-1 withdraw_run_1_gpu-1']]);
  await placed.onTaken('gpu-3', 'run_1', proof, { seq: 9, count: 1 }); // a message that was offered again
  expect([placed.machineOf('run_1'), sentTo().at(-1)]).toEqual(['gpu-3', 'gpu-2 withdraw_run_1_gpu-2']);
  await commandLog.close();
  commandLog = new CommandLog(join(folder, 'commands.jsonl'), () => now);
  expect(commandLog.find('run_1')).toMatchObject({ takenBy: 'gpu-3', delivery: { seq: 9, count: 1 } });
});

test('an outcome of work for a label counts also if it arrives before the word that it was taken', async () => {
  await place('label:gpu');
  await calls.onOutcome('gpu-1', 'run_1', { output: { by: 1 } }, proofOf(offered[0]?.message ?? ''));
  expect(over).toEqual([{ output: { by: 1 } }]);
});

test('a run whose machine never comes back is over after 7 days, and cancelled there if it does', async () => {
  const days = (count: number): number => count * 86_400_000;
  await place('build');
  await placed.onTaken('build', 'run_1', '', null);
  [now, absence] = [now + days(30), days(6)]; // a long run, on a machine that was here lately
  await placed.settleExpired();
  absence = null; // the hub is away
  await placed.settleExpired();
  expect(over).toEqual([]);
  absence = days(7);
  await placed.settleExpired();
  const message = "'build' has begun it, and is away for 7 days";
  expect(over).toEqual([{ error: { code: 'ORCHD_HUB_EXPIRED', message } }]);
  expect(sentTo()).toEqual(['build run_1', 'build withdraw_run_1_build']);
});
