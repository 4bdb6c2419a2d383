/**
 * The membership of this daemon in a hub: joining, leaving, and the status.
 *
 * src/hub and its packages are loaded when the daemon is joined, and never before. Joining needs no restart. A problem
 * with the hub never ends or delays the daemon.
 */
import { existsSync } from 'node:fs';
import type { MachineEntry, Member, MemberPorts, Membership } from '../../hub/index.js';
import {
  errorMessage,
  type InputOf,
  notOnHub,
  type OperationName,
  OrchdError,
  type OutputOf,
  type Paths,
  VERSION,
} from '../../protocol/index.js';
import type { Caller } from '../access/index.js';
import type { EventBus } from '../events/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry/index.js';
import type { TerminalRequest, TerminalSocket } from '../terminals/index.js';
import type { RunPlacement } from '../workflows/index.js';
import { EnrolledKeys } from './enrolled-keys.js';
import { type Joined, type JoinedPorts, openJoined } from './joined.js';
import { newLogId, readMembership, type StoredMembership, writeMembership } from './membership-file.js';
import { refuseEnvironment } from './remote-operation.js';
import { createRunPlacement } from './run-placement.js';
import { ShownTerminals, type ShownTerminalsPorts } from './shown-terminals.js';
import { openingOf } from './terminal-opening.js';
import { unknownMachine } from './unknown-machine.js';
import { passTerminal } from './viewed-terminal.js';

interface HubMembershipPorts extends ShownTerminalsPorts, Omit<JoinedPorts, 'keys' | 'memberPorts' | 'openTerminal'> {
  readonly paths: JoinedPorts['paths'] & Pick<Paths, 'hubFile' | 'hubKeysFile'>;
  readonly registry: Registry;
  readonly bus: EventBus;
  readonly log: Log;
  /** The setting `hub.rate`. */
  readonly rate: number;
  /** The labels of this machine whose work it takes. */
  readonly labels: readonly string[];
  /** The reason for taking no work although `hub.labels` has labels; null if there is none. */
  readonly labelsProblem: string | null;
}

/** A terminal of another machine that is open, but not shown yet. */
export interface OpenedTerminal {
  serve(socket: TerminalSocket): void;
  /** Called instead of `serve` if the client has gone. */
  cancel(): void;
}

const EVENTS_OF_PAGE = 1_000;

/** Joins and leaves a hub, and passes calls between this daemon and the machines of the hub. */
export class HubMembership {
  readonly #ports: HubMembershipPorts;
  #stored: StoredMembership | null = null;
  readonly #keys: EnrolledKeys;
  readonly #shown: ShownTerminals;
  /** The connection of workflows to the machines on which they place runs. */
  readonly places: RunPlacement = createRunPlacement({
    name: () => this.#stored?.membership?.name ?? null,
    joined: () => this.#joined,
    settled: () => this.#changing,
  });
  #joined: Joined | undefined;
  /** Why the stored membership could not be read. */
  #problem: string | undefined;
  #changing: Promise<unknown> = Promise.resolve();
  /** Resolves when the parts of a stored membership are loaded, after the start of the daemon. */
  #loaded: Promise<unknown> = Promise.resolve();

  constructor(ports: HubMembershipPorts) {
    this.#ports = ports;
    this.#keys = new EnrolledKeys(ports.paths.hubKeysFile);
    this.#shown = new ShownTerminals(ports);
  }

  /** Connects if the daemon is joined. Returns at once. */
  begin(): void {
    try {
      this.#stored = readMembership(this.#ports.paths.hubFile);
    } catch (error) {
      this.#problem = errorMessage(error);
      this.#ports.log.error('the membership of the hub cannot be read', error);
      return;
    }
    const membership = this.#stored?.membership;
    if (!membership) return;
    const loading = this.#inTurn(() => this.#connect(membership));
    this.#loaded = loading.catch((error) => this.#ports.log.error('hub', error));
  }

  /** The state of the connection in a few words, for `daemon.status`; null if the daemon is not joined. */
  brief(): {
    name: string;
    state: 'connecting' | 'connected' | 'problem';
    lag: number | null;
    problem?: string;
  } | null {
    if (this.#problem !== undefined) return { name: '', state: 'problem', lag: null, problem: this.#problem };
    const status = this.#joined?.member.status();
    if (!status) return null;
    const { name, state, lag, problem } = status;
    return { name, state, lag, ...(problem !== undefined && { problem }) };
  }

  async status(): Promise<OutputOf<'hub.status'>> {
    await this.#loaded;
    const member = this.#joined?.member;
    if (!member) return { joined: false, machines: [], ...(this.#problem !== undefined && { problem: this.#problem }) };
    const { last_contact_ms, labels, warnings, ...status } = member.status();
    const readable = await member.machines().then(
      (machines) => ({
        machines: machines.map(({ labels: own, ...machine }) => ({ ...machine, ...(own && { labels: [...own] }) })),
      }),
      (error: unknown) => ({ machines: [], unreadable: errorMessage(error) }),
    );
    const from = this.#stored?.membership?.from ?? 0;
    return {
      joined: true,
      ...status,
      share: this.#ports.share,
      since: from,
      last_contact_ms,
      labels: [...labels],
      ...(warnings.length > 0 && { warnings: [...warnings] }),
      ...(this.#ports.labelsProblem !== null && { labels_problem: this.#ports.labelsProblem }),
      ...readable,
    };
  }

  /** The sessions of one machine, or of all; those of this machine are its own truth. */
  sessions({ machine }: InputOf<'hub.sessions'>): Promise<OutputOf<'hub.sessions'>> {
    return this.#ofMachines(machine, (member) => member.sessions(), this.#ports.registry.sessions()).then((found) =>
      found.map(({ value: session, ...where }) => ({ ...where, session })),
    );
  }

  /** Returns the open items of one machine, or of all. */
  items({ machine }: InputOf<'hub.items'>): Promise<OutputOf<'hub.items'>> {
    const own = this.#ports.registry.items().filter(({ state }) => state === 'open');
    return this.#ofMachines(machine, (member) => member.items(), own).then((found) => {
      const answers = this.#joined?.calls.answers();
      return found.map(({ value: item, ...where }) => {
        const sent = answers?.get(item.id);
        const onItsWay = sent && { text: textOfAnswer(sent.input), by: sent.by, at: sent.at };
        return { ...where, item, ...(onItsWay && { on_its_way: onItsWay }) };
      });
    });
  }

  /** The events that one machine has published, or all. */
  async events(input: InputOf<'hub.events'>, signal: AbortSignal): Promise<OutputOf<'hub.events'>> {
    const { machine, since, type = [], session_id: session, limit = EVENTS_OF_PAGE, wait_ms: waitMs = 0 } = input;
    const { member } = await this.#need();
    if (machine !== undefined) await this.#beatOf(machine);
    const page = await member.events({
      machine,
      since,
      limit,
      waitMs,
      signal,
      isWanted: ({ event_type, session_id }) =>
        (type.length === 0 || type.some((one) => one === event_type)) &&
        (session === undefined || session === session_id),
    });
    return { ...page, events: [...page.events] };
  }

  /** @throws {OrchdError} ORCHD_HUB_UNREACHABLE, ORCHD_MACHINE_UNKNOWN */
  async #beatOf(machine: string): Promise<MachineEntry> {
    const { member } = await this.#need();
    const machines = await member.machines();
    const beat = machines.find(({ name }) => name === machine);
    if (beat) return beat;
    const { state, problem } = member.status();
    if (state !== 'connected') throw new OrchdError('ORCHD_HUB_UNREACHABLE', problem ?? 'not connected yet');
    throw unknownMachine(machine, machines);
  }

  /**
   * Calls an operation on a machine of the hub, which may be this one.
   *
   * @throws {OrchdError} ORCHD_INVALID for an operation that no other machine may call, or for an input with an
   * environment; the error of the operation.
   */
  async call(request: InputOf<'hub.call'>, caller: Caller): Promise<OutputOf<'hub.call'>> {
    const { member, calls } = await this.#need();
    const { machine, operation, input } = request;
    refuseEnvironment(input);
    if (machine === member.status().name) {
      const output = await this.#ports.run(operation as OperationName, input, { ...caller, isRemote: true });
      return { state: 'done', output: output as Record<string, unknown> }; // the operation returned it
    }
    const beat = await this.#beatOf(machine);
    const { state, problem } = member.status();
    return calls.call(
      request,
      state === 'connected' ? (beat.away ? `'${machine}' is away` : null) : (problem ?? state),
      caller,
    );
  }

  /**
   * Opens a terminal of a session on a machine of the hub, which may be this one.
   *
   * @throws {OrchdError} The refusal of that machine; ORCHD_MACHINE_AWAY, ORCHD_MACHINE_OLDER, ORCHD_HUB_UNREACHABLE,
   *   ORCHD_HUB_REFUSED.
   */
  async openTerminal(
    machine: string,
    session: string,
    request: TerminalRequest,
    caller: Pick<Caller, 'device' | 'client' | 'signal'>,
  ): Promise<OpenedTerminal> {
    const { member, calls } = await this.#need();
    const { registry, terminals } = this.#ports;
    if (machine === member.status().name) {
      const entry = registry.session(session);
      return { serve: (socket) => void terminals.serve(socket, entry, request), cancel: () => undefined };
    }
    const { away, terminals: contract, version } = await this.#beatOf(machine);
    const { TERMINAL_CONTRACT } = await import('../../hub/index.js');
    const prepared = await member.terminal(machine);
    try {
      if (away) throw new OrchdError('ORCHD_MACHINE_AWAY', `'${machine}' is away`);
      if (contract !== TERMINAL_CONTRACT) throw otherContract(machine, version, contract);
      const channel = prepared.begin(await calls.openTerminal(machine, openingOf(session, request, prepared), caller));
      channel.greet();
      return { serve: (socket) => passTerminal(socket, channel), cancel: () => channel.close() };
    } catch (error) {
      prepared.cancel();
      throw error;
    }
  }

  async commands(): Promise<OutputOf<'hub.commands'>> {
    const { calls } = await this.#need();
    return calls.list();
  }

  keys(): OutputOf<'hub.keys'> {
    return { keys: [...this.#keys.list()], accept: [...this.#ports.accept] };
  }

  /** @throws {OrchdError} ORCHD_INVALID for an invalid name or key. */
  async enroll(added: InputOf<'hub.enroll'>): Promise<OutputOf<'hub.keys'>> {
    const { checkMachineName, checkPublicKey } = await import('../../hub/index.js');
    const { name, key } = { name: checkMachineName(added.name), key: checkPublicKey(added.key) };
    if (!this.#keys.has(name, key)) this.#shown.closeOf(name);
    this.#keys.add({ name, key });
    return this.keys();
  }

  unenroll({ name }: InputOf<'hub.unenroll'>): OutputOf<'hub.keys'> {
    this.#keys.remove(name);
    this.#shown.closeOf(name);
    return this.keys();
  }

  /** @throws {OrchdError} ORCHD_HUB_NOT_JOINED */
  async #need(): Promise<Joined> {
    await this.#loaded;
    if (!this.#joined) throw notOnHub();
    return this.#joined;
  }

  /** @throws {OrchdError} ORCHD_HUB_NOT_JOINED, ORCHD_MACHINE_UNKNOWN */
  async #ofMachines<T>(
    wanted: string | undefined,
    read: (member: Member) => Promise<readonly { machine: string; value: T }[]>,
    own: readonly T[],
  ): Promise<{ machine: string; away: boolean; age_ms: number; value: T }[]> {
    const { member } = await this.#need();
    const { name } = member.status();
    const beats = new Map((await member.machines()).map((beat) => [beat.name, beat]));
    if (wanted !== undefined && wanted !== name && !beats.has(wanted)) {
      throw unknownMachine(wanted, [...beats.values()]);
    }
    const others = wanted === name ? [] : await read(member);
    const all = [
      ...own.map((value) => ({ machine: name, value })),
      ...others.filter(({ machine }) => machine !== name),
    ];
    return all
      .filter(({ machine }) => (wanted === undefined || machine === wanted) && (machine === name || beats.has(machine)))
      .map(({ machine, value }) => {
        const beat = machine === name ? undefined : beats.get(machine);
        return { machine, away: beat?.away ?? false, age_ms: beat?.age_ms ?? 0, value };
      });
  }

  join(input: InputOf<'hub.join'>): Promise<OutputOf<'hub.status'>> {
    return this.#inTurn(async () => {
      if (this.#problem !== undefined) throw new OrchdError('ORCHD_FILE', this.#problem);
      const { checkJoin, checkMachineName, parseServers } = await import('../../hub/index.js');
      const joined = this.#stored?.membership;
      if (joined) throw new OrchdError('ORCHD_HUB_JOINED', `this machine is '${joined.name}' on a hub already`);
      const { url, name, ca, insecure, since, replace = false } = input;
      parseServers({ url, ...(insecure && { insecure }) });
      const { hubKeyFile } = this.#ports.paths;
      const creds = input.creds ?? (existsSync(hubKeyFile) ? hubKeyFile : undefined);
      const { lastSeq } = this.#ports.bus;
      const wanted: Membership = {
        url,
        name: checkMachineName(name),
        logId: this.#stored?.logId ?? newLogId(),
        from: Math.min(since ?? lastSeq, lastSeq),
        ...(creds !== undefined && { creds }),
        ...(ca !== undefined && { ca }),
        ...(insecure && { insecure }),
      };
      const membership = { ...wanted, ...(await checkJoin(wanted, lastSeq, replace)) };
      this.#store({ logId: membership.logId, membership });
      await this.#connect(membership);
      return this.status();
    });
  }

  leave(): Promise<OutputOf<'hub.status'>> {
    return this.#inTurn(async () => {
      const { membership, logId } = this.#stored ?? {};
      if (!membership || logId === undefined) throw notOnHub();
      await this.#joined?.placed.abandon();
      await this.#disconnect({ isLeaving: true });
      this.#store({ logId });
      return this.status();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#disconnect({ isLeaving: false }));
  }

  async #disconnect(how: { readonly isLeaving: boolean }): Promise<void> {
    const joined = this.#joined;
    this.#joined = undefined;
    joined?.placed.close();
    await joined?.member.close(how);
    await joined?.commandLog.close();
  }

  async #connect(membership: Membership): Promise<void> {
    this.#joined = await openJoined(membership, {
      ...this.#ports,
      keys: this.#keys,
      memberPorts: this.#memberPorts(),
      openTerminal: (member, command, opening) => this.#shown.open(member, command, opening),
    });
  }

  #memberPorts(): Omit<MemberPorts, 'mail' | 'work'> {
    const { registry, bus, log, share, rate, labels } = this.#ports;
    return {
      version: VERSION,
      labels,
      share,
      rate,
      lastSeq: () => bus.lastSeq,
      reader: (since, signal) => bus.reader({ since }, signal),
      sessions: () => registry.sessions(),
      openItems: () => registry.items().filter(({ state }) => state === 'open'),
      remember: ({ seq, stream }) => {
        const membership = this.#stored?.membership;
        if (!membership || (membership.published?.seq === seq && membership.published.stream === stream)) return;
        this.#store({ logId: membership.logId, membership: { ...membership, published: { seq, stream } } });
      },
      now: () => performance.now(),
      log,
    };
  }

  #store(stored: StoredMembership): void {
    writeMembership(this.#ports.paths.hubFile, stored);
    this.#stored = stored;
  }

  /** Runs changes of the membership one after the other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#changing.then(change, change);
    this.#changing = result.catch(() => undefined);
    return result;
  }
}

function otherContract(machine: string, version: string, contract: number | undefined): OrchdError {
  const age = contract === undefined ? 'an older' : 'another';
  const message = `'${machine}' has ${age} orchd (${version}), which shows its terminals to no machine with this one`;
  return new OrchdError('ORCHD_MACHINE_OLDER', message);
}

/** Returns an answer in words, before its machine has accepted it. */
function textOfAnswer({ text, option, decline }: Readonly<Record<string, unknown>>): string {
  return decline === true ? 'declined' : typeof text === 'string' ? text : `option ${String(option)}`;
}
