/** The parts of a daemon that is joined to a hub: the connection, and the commands over it. */
import type { Command, HubShare, Member, MemberPorts, Membership, OutgoingCommand } from '../../hub/index.js';
import type { OperationName, Paths, RemoteNeed } from '../../protocol/index.js';
import type { RunEnd } from '../../workflow/index.js';
import type { Caller } from '../access/index.js';
import type { Log } from '../log.js';
import type { PlacedRuns } from '../workflows/index.js';
import { AcceptedCommands } from './accepted-commands.js';
import { CommandLog } from './command-log.js';
import type { EnrolledKeys } from './enrolled-keys.js';
import { endOf, PlacedCommands } from './placed-commands.js';
import { RemoteCalls } from './remote-calls.js';
import type { TerminalOpening } from './terminal-opening.js';

export interface Joined {
  readonly member: Member;
  readonly commandLog: CommandLog;
  readonly calls: RemoteCalls;
  readonly placed: PlacedCommands;
}

export interface JoinedPorts {
  readonly paths: Pick<Paths, 'hubKeyFile' | 'hubCommandsFile'>;
  readonly log: Log;
  readonly now: () => number;
  readonly share: HubShare;
  /** The setting `hub.accept`: the kinds of operations that machines with an enrolled key may call here. */
  readonly accept: readonly RemoteNeed[];
  readonly keys: EnrolledKeys;
  readonly memberPorts: Omit<MemberPorts, 'mail' | 'work'>;
  /** Calls an operation of this daemon. */
  run(operation: OperationName, input: object, caller: Caller): Promise<unknown>;
  openTerminal(member: Member, command: Command, opening: TerminalOpening): Promise<unknown>;
  readonly placedRuns: Pick<PlacedRuns, 'ended' | 'has' | 'known' | 'isFree' | 'whenFree'>;
  /** Called with the end of a run that a workflow has placed on another machine. */
  onPlacedOver(workflowId: string, run: RunEnd): void;
}

/** Loads src/hub, and begins to connect. It resolves before the connection is established. */
export async function openJoined(membership: Membership, ports: JoinedPorts): Promise<Joined> {
  const hub = await import('../../hub/index.js');
  const { Member, proofOf, publicKey, readSeed, sharedJson, signCommand, verifyCommand } = hub;
  const { paths, accept, share, run, log, now, keys, memberPorts, placedRuns, onPlacedOver } = ports;
  const name = (): string => membership.name;
  const serverTime = (): number | null => member.serverTime;
  const commandLog = new CommandLog(paths.hubCommandsFile, serverTime);
  const ownKey = publicKey(paths.hubKeyFile); // makes it, if the hub has no accounts and this machine has no key yet
  const seed = readSeed(paths.hubKeyFile);
  const sending = {
    commandLog,
    now,
    name,
    serverTime,
    proofOf,
    offer: (command: OutgoingCommand) => member.offer(command),
    retract: (command: OutgoingCommand) => member.retract(command),
    sign: (command: Command) => signCommand(command, seed),
  };
  const placed = new PlacedCommands({
    ...sending,
    absenceOf: (machine) => absenceOf(member, machine),
    onOver: (command, outcome) => onPlacedOver(String(command.input['for_workflow']), endOf(command, outcome)),
  });
  const calls = new RemoteCalls({ ...sending, onSettled: (...settled) => placed.report(...settled) });
  const accepted = new AcceptedCommands({
    commandLog,
    name,
    serverTime,
    accept,
    run,
    log,
    keys,
    verify: verifyCommand,
    sharesScreens: share === 'screens',
    shared: (output) => sharedJson(output, share),
    openTerminal: (command, opening) => ports.openTerminal(member, command, opening),
    ended: (runId) => placedRuns.ended(runId),
    runsKnown: () => placedRuns.known,
    hasRun: (runId) => placedRuns.has(runId),
    onWorkOver: () => member.workIsOver(),
    ownKey,
    labels: memberPorts.labels,
    reply: (...outcome) => member.reply(...outcome),
  });
  const member: Member = new Member(membership, {
    ...memberPorts,
    mail: {
      waiting: () => calls.waiting(),
      isEnrolled: (machine) => keys.isEnrolled(machine),
      onCommand: (from, id, message) => accepted.take(from, id, message),
      onTaken: (...taken) => placed.onTaken(...taken),
      onOffered: (id, offered) => commandLog.offered(id, offered),
      onOutcome: (...outcome) => calls.onOutcome(...outcome),
    },
    work: {
      isFree: () => placedRuns.isFree,
      whenFree: (signal) => placedRuns.whenFree(signal),
      begin: (work, message) => accepted.takeWork(work, message),
      held: () => accepted.held(),
      release: (from, id) => commandLog.release(from, id),
    },
  });
  void accepted.resumeWork().catch((error: unknown) => log.error('work for labels cannot be resumed', error));
  return { member, commandLog, calls, placed };
}

/**
 * @returns Milliseconds since the last heartbeat; null while the machines are not known. A machine
 *   that left is away.
 */
async function absenceOf(member: Member, machine: string): Promise<number | null> {
  if (member.status().state !== 'connected') return null;
  const machines = await member.machines().catch(() => []); // a key may only publish
  if (machines.length === 0) return null;
  return machines.find(({ name }) => name === machine)?.age_ms ?? Number.POSITIVE_INFINITY;
}
