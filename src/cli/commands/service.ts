import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../../host/index.js';
import { EXIT, HEAP_FLAGS } from '../../protocol/index.js';
import { answeringStatus, endProcess } from '../daemon/daemon-process.js';
import { daemonComesUp } from '../daemon/start-daemon.js';
import { type ActionSpec, type CommandSpec, flag, type OptionSpec } from '../program/command.js';
import type { Context } from '../program/context.js';
import type { ServiceManager, ServiceSpec, ServiceState } from '../service/manager.js';
import { managerOf } from '../service/pick.js';

const PRINT: OptionSpec = ['--print', 'print the file that would be written, and change nothing'];

type Act = (context: Context, manager: ServiceManager, wanted: string) => Promise<number | undefined>;

const action = (name: string, summary: string, act: Act): ActionSpec => ({
  name,
  summary,
  options: [PRINT],
  quiet: 'print the id of the process only',
  async run(context, _args, options) {
    const manager = managerOf(context.env);
    const wanted = manager.text(specOf(context));
    if (!flag(options, 'print')) return act(context, manager, wanted);
    await context.print({ file: manager.file, text: wanted }, () => wanted);
    return undefined;
  },
});

export const service: CommandSpec = {
  name: 'service',
  group: 'Daemon',
  summary: 'Start orchd at login and keep it running, by systemd or launchd: install, uninstall or status.',
  examples: ['orchd service install', 'orchd service status', 'orchd service install --print'],
  actions: [
    action('install', 'Install the service and start it.', install),
    action('uninstall', 'Remove the service. Every session goes on.', uninstall),
    action('status', 'Show whether the service is installed and running.', status),
  ],
};

/**
 * Environment variables that are copied into the service: those that locate the daemon's files and programs. A service
 * inherits nothing else from the caller.
 */
const KEPT = ['ORCHD_HOME', 'ORCHD_SOCKET', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'PATH'] as const;

function specOf({ env }: Context): ServiceSpec {
  const kept = KEPT.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return {
    node: process.execPath,
    args: [...HEAP_FLAGS, join(import.meta.dirname, 'daemon.js')],
    env: { NODE_ENV: 'production', ...Object.fromEntries(kept) },
  };
}

/** Installs the service. The service's daemon replaces a daemon that is already running; its sessions continue. */
async function install(context: Context, manager: ServiceManager, text: string): Promise<undefined> {
  await manager.state(); // fails before any change if there is no service manager
  const before = await answeringStatus(context);
  makeDirectory(dirname(manager.file), 0o777);
  writeFileSync(manager.file, text, { mode: 0o644 });
  if (before) await endProcess(before.daemon.pid);
  await manager.enable();
  await daemonComesUp(context);
  const advice = [...(await manager.advice()), ...(before ? [OLD_HOST] : [])];
  const report = {
    installed: true,
    file: manager.file,
    manager: manager.name,
    replaced: before?.daemon.pid ?? null,
    advice,
  };
  await context.print(report, () => {
    const replaced = before ? ` in place of process ${before.daemon.pid}; every session goes on` : '';
    return [`${manager.file} is written; ${manager.name} runs orchd${replaced}.`, ...advice, ''].join('\n');
  });
  return undefined;
}

const OLD_HOST =
  'The host that ran before is still used, and belongs to the login that started it. To replace it, run `orchd stop`, ' +
  'which ends every session, and `orchd service install`.';

async function uninstall(context: Context, manager: ServiceManager): Promise<undefined> {
  const isThere = existsSync(manager.file);
  if (isThere) {
    await manager.disable();
    rmSync(manager.file);
  }
  await context.print({ installed: false, removed: isThere, file: manager.file }, () =>
    isThere
      ? `${manager.file} is removed and the daemon ended; every session goes on. \`orchd start\` starts a ` +
        `daemon, \`orchd stop\` ends all.\n`
      : 'no service is installed\n',
  );
  return undefined;
}

async function status(context: Context, manager: ServiceManager, wanted: string): Promise<number | undefined> {
  const isInstalled = existsSync(manager.file);
  const isCurrent = isInstalled && readFileSync(manager.file, 'utf8') === wanted;
  const state = await manager.state();
  const daemon = (await answeringStatus(context))?.daemon.pid ?? null;
  const advice = [...adviceOf(isInstalled, isCurrent, state, daemon), ...(isInstalled ? await manager.advice() : [])];
  const report = {
    manager: manager.name,
    file: manager.file,
    installed: isInstalled,
    current: isCurrent,
    enabled: state.isEnabled,
    running: state.isRunning,
    pid: state.pid,
    daemon,
    advice,
  };
  await context.print(report, () => {
    if (context.isQuiet) return state.pid === null ? '' : `${state.pid}\n`;
    return [
      `service    ${isInstalled ? `${manager.file}${isCurrent ? '' : ' (not what would be written now)'}` : 'not installed'}`,
      `at login   ${state.isEnabled ? 'started' : 'not started'}`,
      `running    ${state.isRunning ? `by ${manager.name}, pid ${state.pid}` : daemon === null ? 'no' : `not by ${manager.name}: pid ${daemon}`}`,
      ...advice,
      '',
    ].join('\n');
  });
  return isInstalled && !state.isRunning ? EXIT.failed : undefined;
}

function adviceOf(isInstalled: boolean, isCurrent: boolean, state: ServiceState, daemon: number | null): string[] {
  if (!isInstalled) return ['`orchd service install` installs it.'];
  return [
    ...(isCurrent
      ? []
      : ['Node, orchd or the environment has changed since: `orchd service install` writes it again.']),
    ...(state.isRunning || daemon === null
      ? []
      : ['A daemon runs that was started by hand; `orchd service install` puts the service in its place.']),
    ...(state.isRunning || daemon !== null
      ? []
      : ['It does not run; `orchd logs` may say why, `orchd service install` starts it.']),
  ];
}
