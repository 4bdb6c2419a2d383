/**
 * The daemon: `node dist/daemon.js [--port N | --no-tcp] [--to-stop]`, started detached by `orchd start`. Builds and
 * connects all parts.
 *
 * It holds the database exclusively, so there is only one per home. It connects to the host or starts it, reads the
 * output that it missed, then opens its socket and prints `listening`. It exits with the code of the error that ended
 * it.
 * `--to-stop`: used by `orchd stop` for a host without a daemon. It starts no work, prunes nothing, and needs no
 * configuration.
 * It may be killed at any time: every announced event is on disk, and everything else is in the journals.
 */

import { existsSync, fstatSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkContract, grownIn, type HostClient, type HostNotice, leaveScope } from '../host/index.js';
import { timestamp } from '../lifecycle/index.js';
import {
  ERRORS,
  EXIT,
  type Item,
  OrchdError,
  type Paths,
  parseQuietHours,
  resolvePaths,
  VERSION,
} from '../protocol/index.js';
import { createJudge } from '../results/index.js';
import { DAMAGED, openStore, type StoredState } from '../store/index.js';
import { Answers, IdleWatch, Typist } from './answers/index.js';
import { clearEnvironments } from './attempts/index.js';
import { Blueprints, StoredBlueprints } from './blueprints/index.js';
import { brakeFor, createDiskWatch, createJournalLoads, journalBytes, namingFullDisk, Prune } from './disk/index.js';
import { createEventHub, createOutbox } from './events/index.js';
import { HearingGuard, WalMark } from './guard/index.js';
import { createHandlers } from './handlers/index.js';
import { Hooks } from './hooks/index.js';
import { type Log, openLog } from './log.js';
import { createObserver, createWatchers } from './metrics/index.js';
import { localClock, Notifier } from './notify/index.js';
import { createRegistry, type EntryPorts } from './registry/index.js';
import { Runs, Spawning } from './runs/index.js';
import { type DaemonServer, serve, wantedTcp } from './server/index.js';
import { CatchingUp, clearImports, createScreenFinder, Imports, Sessions } from './sessions/index.js';
import {
  beginWarmUp,
  createStarter,
  inlineLess,
  linkHost,
  makeDirectories,
  readConfig,
  readConfigToStop,
  readToken,
  soundState,
  tellFailure,
} from './startup/index.js';
import { Submissions, Tasks } from './tasks/index.js';
import { Terminals } from './terminals/index.js';
import { Tools } from './tools/index.js';
import { Transcripts } from './transcripts/index.js';
import { Workflows } from './workflows/index.js';

async function main(paths: Paths, log: Log): Promise<void> {
  const startedAt = Date.now();
  inlineLess();
  const boolean = { type: 'boolean' } as const;
  const options = { port: { type: 'string' }, 'no-tcp': boolean, 'to-stop': boolean } as const;
  const { values: flags } = parseArgs({ options });
  const isToStop = flags['to-stop'] === true;
  const config = isToStop ? readConfigToStop(paths, process.env, log) : readConfig(paths, process.env);
  const tcp = wantedTcp({ port: flags.port, noTcp: flags['no-tcp'] }, config.daemon);
  const starter = createStarter(process.stdout);
  starter.step(() => 'reading the event log');
  // checked before the migration of the store, so that the old version can still be used
  await checkContract(paths.hostSocket);
  const walMark = new WalMark(paths.database);
  const store = await openStore({ path: paths.database });
  writeFileSync(paths.pidFile, String(process.pid), { mode: 0o600 });
  const loaded = await store.load();
  const found = { ...loaded, damaged: [...walMark.lost, ...loaded.damaged] };
  const state = soundState(found, `${paths.database}${DAMAGED}`, log);
  const observer = createObserver();
  const hub = createEventHub(store, state.lastSeq, (events) => observer.take(events, Date.now()));
  const outbox = createOutbox(store, log, die);
  const disk = createDiskWatch({ path: paths.journalsDir, outbox, minFreeBytes: config.retention.min_free });
  const registry = createRegistry();
  const catchingUp = new CatchingUp(registry, () => outbox.isFull);
  const loads = createJournalLoads((id) => journalBytes(join(paths.journalsDir, id)), Date.now);
  const guard = new HearingGuard(paths.stateDir, log);
  const brake = brakeFor({ disk, loads, registry, outbox, hub, log });

  let link: HostClient | null = null;
  let isStopping = false;
  let endWarmUp = (): void => {};
  /** Null until the socket is open, because the first request may come before. */
  let server: DaemonServer | null = null;
  const host = (): HostClient => {
    if (!link) throw new OrchdError('ORCHD_HOST_UNREACHABLE', 'the host is gone; a new one is being started');
    return link;
  };

  /** Resolves when there is a host again after one has died. */
  let linking: Promise<unknown> = Promise.resolve();
  const whenHost = () => linking.then(host);

  const judge = createJudge();
  const stored = new StoredBlueprints({ outbox, hub, now: Date.now }, state.blueprints);
  const blueprints = new Blueprints({ stored, judge });
  const typist = new Typist({ host, log });
  const { name_questions: namesQuestions, stall_ms: stallMs } = config.sessions;
  const answers = new Answers({ ...{ registry, outbox, host, typist, log }, namesQuestions, stallMs });
  const tools = new Tools({
    ...{ registry, outbox, host, typist, log, namesQuestions, graceMs: config.sessions.tool_grace_ms },
    own: {
      spawn_agent: (...call) => spawning.call(...call),
      'planner-output': (entry, call) => submissions.call('planner-output', entry, call),
      'completion-report': (entry, call) => submissions.call('completion-report', entry, call),
    },
    owed: (sessionId) => runs.shelf.dueIn(sessionId),
    offered: (sessionId) => runs.shelf.toolsOf(sessionId),
  });
  const hooks = new Hooks({ registry, tools, host, log });
  const notifier = new Notifier({
    rules: { afterMs: config.notify.after_ms, quiet: parseQuietHours(config.notify.quiet) },
    quietHours: config.notify.quiet,
    command: config.notify.command,
    timeoutMs: config.notify.timeout_ms,
    env: process.env,
    socketPath: paths.socket,
    log,
    clock: localClock,
  });
  const screenOf = createScreenFinder(paths);
  const terminals = new Terminals({ paths, screenOf, host, log });
  const transcripts = new Transcripts({ paths, host, log });
  const entryPorts: EntryPorts = {
    outbox,
    hub,
    onItem: (item, entry) => {
      registry.setItem(item, entry);
      answers.onItem(item, entry);
      tools.onItem(item, entry);
      hooks.wake(entry);
      notifier.onItem(item, entry);
      tasks.onItem(item);
      runs.onItem(item);
      workflows.onItem(item);
    },
    onEffect: (effect, entry) => {
      if (effect.kind === 'called') tools.onCalled(effect, entry);
      else if (effect.kind === 'asks') hooks.wake(entry);
      else answers.carryOut(effect, entry);
    },
    onEnd: (entry) => {
      tools.onEnd(entry);
      hooks.wake(entry);
      terminals.onEnd(entry);
      runs.onSessionEnd(entry);
      observer.forget(entry.id);
      loads.forget(entry.id);
    },
  };
  const imports = new Imports({ paths, registry, outbox, entryPorts, scrollbackLines: config.sessions.scrollback });
  clearImports(paths);
  const sessions = new Sessions({
    paths,
    registry,
    outbox,
    host,
    whenHost,
    log,
    answers,
    transcripts,
    catchingUp,
    onHeard: (entry) => tools.resume(entry),
    entryPorts,
    defaults: {
      size: { cols: config.sessions.cols, rows: config.sessions.rows },
      scrollbackLines: config.sessions.scrollback,
      tools: config.sessions.tools,
    },
    ...{ loads, brake, guard },
    sessionBytes: config.retention.session_bytes,
    onRecord: (entry, record) => {
      terminals.onRecord(entry, record);
      idleWatch.onRecord(entry, record);
    },
    isWatched: (entry) => terminals.isWatched(entry),
    replyFor: (entry, reply) => terminals.replyFor(entry, reply),
  });

  const idleWatch = new IdleWatch({ now: Date.now });

  const runs = new Runs({
    ...{ paths, registry, sessions, host, outbox, hub, judge, log, blueprints, typist, screenOf, now: Date.now },
    ...{ parallel: config.runs.parallel, defaultAdapter: config.runs.adapter },
    killGraceMs: config.sessions.kill_grace_ms,
    onAsking: (run) => workflows.onAsking(run),
    onOver: (run) => {
      tasks.onRunOver(run);
      workflows.onRunOver(run);
    },
    checkLines: (entry, text) => answers.checkLines(entry, text),
  });
  const tasks = new Tasks({
    ...{ paths, registry, runs, blueprints, answers, outbox, hub, log, now: Date.now },
    defaultAdapter: config.runs.adapter,
  });
  const submissions = new Submissions({ runs, tasks, blueprints });
  const workflows = new Workflows({
    ...{ paths, registry, runs, blueprints, outbox, hub, log, entryPorts, now: Date.now },
    ...{ defaultAdapter: config.runs.adapter, profiles: config.profiles, maxDepth: config.runs.max_depth },
  });

  const spawning = new Spawning({
    ...{ runs, registry, blueprints, defaultAdapter: config.runs.adapter },
    ...{ maxChildren: config.runs.max_children, maxDepth: config.runs.max_depth },
  });

  const onNotice = (notice: HostNotice) => {
    for (const [sessionId, position] of grownIn(notice)) sessions.grew(sessionId, position);
  };
  const hostFile = join(import.meta.dirname, 'host.js');
  const connectToHost = async () => {
    link = await linkHost({ paths, hostFile, log, onNotice, onClose: (reason) => void hostClosed(reason) });
    return link;
  };
  async function hostClosed(reason: OrchdError): Promise<void> {
    if (isStopping) return;
    link = null;
    if (reason.code === 'ORCHD_LEASE_LOST') return die(reason);
    log.error('the host died', reason);
    linking = sessions
      .hostDied()
      .then(connectToHost)
      .then(() => sessions.orphaned())
      .catch(die);
    await linking;
  }

  const prune = new Prune({
    paths,
    registry,
    outbox,
    hub,
    store,
    log,
    runs,
    tasks,
    workflows,
    retention: config.retention,
  });
  starter.step(() => 'connecting to the host');
  const { welcome } = await connectToHost();
  observer.start(openItems(state), startedAt);
  starter.step(() => {
    const { sessions: count, bytes } = sessions.behind();
    return `hearing ${(bytes / 1e6).toFixed(1)} MB that ${count} session${count === 1 ? '' : 's'} printed`;
  });
  await sessions.recover(state, welcome.sessions, config.daemon.catch_up_ms);
  await clearEnvironments(paths, state);
  catchingUp.beginWork(() => {
    if (isStopping) return;
    runs.recover(state.runs);
    tasks.recover(state.tasks);
    workflows.recover(state.workflows, state.workflowSteps);
    if (!isToStop) prune.begin();
  });

  const ports = {
    ...{ paths, registry, sessions, imports, prune, screenOf, terminals, answers, disk, loads, typist, tools, hooks },
    ...{ blueprints, runs, tasks, workflows, notifier, observer, hub, outbox, catchingUp, host, startedAt },
    watchers: createWatchers(),
    killGraceMs: config.sessions.kill_grace_ms,
    childrenAnswer: config.sessions.children_answer,
    readOthers: config.sessions.read_others,
    url: () => server?.tcp.url ?? null,
    tcp: () => ({ ...tcp, ...(server?.tcp.problem && { problem: server.tcp.problem }) }),
    stop: async (keepSessions: boolean, client: string) => {
      isStopping = true;
      brake.close();
      if (!keepSessions && !outbox.isFull) await sessions.endingAll(client);
      const killed = keepSessions
        ? 0
        : (await (await whenHost()).call('shutdown', { graceMs: config.sessions.kill_grace_ms })).killed;
      // reads their last output
      if (!keepSessions && !outbox.isFull && catchingUp.behind.sessions === 0) await sessions.caughtUp();
      setImmediate(() => void stop('stopped by request'));
      return killed;
    },
  };
  const started = {
    event_type: 'daemon_started',
    timestamp: timestamp(Date.now()),
    ...{ pid: process.pid, version: VERSION, host_pid: welcome.pid },
  };
  const announced = outbox.commit({ events: [started] }, (committed) => hub.publish([started], committed));
  await Promise.race([announced.then(() => walMark.set()), outbox.whenFull()]);
  server = await serve({
    ...{ ...ports, handlers: createHandlers(ports), log, token: readToken(paths, log) },
    ...{ socketPath: paths.socket, tcp },
  });
  notifier.start(registry.items().map(({ id }) => registry.item(id)));
  log.info('listening', { socket: paths.socket, url: server.tcp.url, catching_up: catchingUp.behind.sessions });
  starter.listening();
  if (config.daemon.warm_up && !isStopping) {
    endWarmUp = beginWarmUp(() => [...registry.entries].reduce((sum, { runner }) => sum + (runner?.position ?? 0), 0));
  }

  async function stop(reason: string): Promise<void> {
    isStopping = true;
    log.info(reason);
    endWarmUp();
    notifier.close();
    idleWatch.close();
    runs.close();
    tasks.close();
    workflows.close();
    hooks.close();
    await server?.close();
    await transcripts.close();
    await sessions.close();
    answers.close();
    tools.close();
    typist.close();
    await prune.close();
    await judge.close();
    await outbox.drain();
    await store.close();
    walMark.remove();
    guard.close();
    link?.close();
    if (existsSync(paths.socket)) unlinkSync(paths.socket);
    process.exit(EXIT.done);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal).catch(die));
}

const openItems = ({ items }: StoredState): Item[] =>
  items.map(({ value }) => value as Item).filter(({ state }) => state === 'open'); // rows written by orchd

/** True if standard error is the log. The CLI starts the daemon this way, and the error is then already in it. */
function isLogFile(fd: number): boolean {
  const [stream, file] = [fstatSync(fd), statSync(paths.logFile, { throwIfNoEntry: false })];
  return file !== undefined && stream.ino === file.ino && stream.dev === file.dev;
}

/** Without a log, the error can only be printed on standard error. */
function openLogOrEnd(logFile: string): Log {
  try {
    return openLog(logFile, 'daemon');
  } catch (error) {
    process.stderr.write(`orchd: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(EXIT.failed);
  }
}

/**
 * Ends the daemon after an unexpected error. That is safe, because the journals contain everything that is not stored,
 * while continuing is not.
 */
function die(cause: unknown): never {
  const error = namingFullDisk(cause, paths.journalsDir);
  log.error('the daemon ends', error);
  const words = `orchd: ${error instanceof Error ? error.message : String(error)}\n`;
  if (!isLogFile(process.stderr.fd)) process.stderr.write(words);
  tellFailure(error);
  process.exit(error instanceof OrchdError ? ERRORS[error.code].exit : EXIT.failed);
}

process.on('SIGHUP', () => {});
leaveScope();
const paths = resolvePaths({ env: process.env, uid: process.getuid?.() ?? 0, tmpDir: tmpdir(), homeDir: homedir() });
const log = openLogOrEnd(paths.logFile);
process.on('uncaughtException', die);
process.on('unhandledRejection', die);
makeDirectories(paths);
main(paths, log).catch(die);
