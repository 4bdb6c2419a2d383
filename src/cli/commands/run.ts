import { constants } from 'node:os';
import { basename, resolve } from 'node:path';
import { callerOf } from '../../client/index.js';
import { type Config, EXIT, type InputOf, OrchdError, type Session } from '../../protocol/index.js';
import { callStarting } from '../daemon/daemon-process.js';
import { remoteDirectory } from '../hub/remote-directory.js';
import { clientOn, idOn, machineOf, onMachine } from '../hub/remote-target.js';
import { parseKey, parseSize, parseWhole } from '../input/parse-values.js';
import { randomHex } from '../input/random-hex.js';
import { type CommandSpec, ENV, flag, list, type Options, text } from '../program/command.js';
import { type Context, readConfig } from '../program/context.js';
import { attachSession } from '../sessions/attach-session.js';
import { attachPreferences } from './attach.js';

const KEY_BYTES = 6;

export const run: CommandSpec = {
  name: 'run',
  group: 'Sessions',
  summary: 'Start a program in a session and attach to it; the exit code is that of the program.',
  args: '<command...>',
  passesThrough: true,
  options: [
    ['-d, --detach', 'do not attach; print the id'],
    ['--keep', 'when the program ends, stay on its last screen: r restarts it, q leaves'],
    ['--name <name>', 'name of the session (default: that of the program)'],
    ['--tag <tag>', 'a tag, by which lists and `orchd send --tag` find the session…'],
    ['-C, --cwd <dir>', 'working directory'],
    ['--adapter <name>', 'the adapter for the program (default: by its name)'],
    ENV,
    ['--size <colsxrows>', 'size of its terminal while no client is attached'],
    ['--scrollback <lines>', 'lines kept above the screen'],
    ['--key [key]', 'messages must carry this key (without a value, orchd makes and prints one)'],
    ['--batch', 'run on pipes, without a terminal, for programs that print and end; nothing can be typed into them'],
    ['--stdin <file>', 'with --batch: its whole standard input (- for the input of this command; default: none)'],
    ['--worktree [branch]', 'run in a new git worktree beside the repository, on a new branch'],
    ['--tools', 'offer the agent the tools by MCP (--teach includes this, unless sessions.tools is false)'],
    ['--machine <name>', 'on this machine of the hub; -C is then a path or a project there'],
    ['--without-tools', 'with --teach: do not offer the tools'],
    ['--teach', 'give the agent the instructions of `orchd prompt`, with a key, without typing them'],
  ],
  examples: [
    'orchd run -- ./agent.sh',
    'orchd run -d --name build -C ~/project -- make test',
    'orchd run -d --key -- claude -p "…"',
    'orchd run --teach -- claude',
    'orchd run -d --worktree fix-login -- claude',
    'orchd run --machine build-7 -C shop -- claude',
    'orchd run -d --batch --stdin prompt.md -- codex exec --json -',
  ],
  async run(context, command, options) {
    const isDetached = flag(options, 'detach');
    const machine = machineOf(options);
    if (machine !== undefined) requireMachineOptions(options);
    if (!isDetached && !(process.stdin.isTTY && process.stdout.isTTY)) {
      throw new OrchdError('ORCHD_USAGE', 'there is no terminal to attach to: use `orchd run -d`');
    }
    if (isDetached && flag(options, 'keep')) {
      throw new OrchdError('ORCHD_USAGE', '--keep has no effect with -d: use `orchd attach --keep`');
    }
    const config = await readConfig(context);
    const key = options['key'] === true ? makeKey() : parseKey(text(options, 'key'));
    const given = { ...startInput(command, options, key), ...(await batchInput(options)) };
    const session =
      machine === undefined
        ? await callStarting(context, () =>
            start(context, { ...given, ...placeHere(context, options, config) }, options),
          )
        : await startThere(context, machine, given, options);
    if (isDetached || context.isJson) return printStarted(context, onMachine(session, machine), options, key);
    const preferences = attachPreferences(config);
    const end = await attachSession({
      client: context.client(),
      session,
      machine,
      ...preferences,
      isReadOnly: false,
      isKept: preferences.isKept || flag(options, 'keep'),
    });
    const name = idOn(end.session.name, machine);
    if (end.kind === 'detached') context.note(`[detached from ${name}; \`orchd attach ${name}\` returns]`);
    // If the person switched to another session, this command does not return that session's exit code.
    return end.kind === 'ended' && end.session.id === session.id ? exitCodeOf(end) : undefined;
  },
};

/** Options that need the files or the terminal of this machine. */
const HERE_ONLY = ['worktree'] as const;

/** @throws {OrchdError} ORCHD_USAGE */
function requireMachineOptions(options: Options): void {
  const wrong = HERE_ONLY.find((name) => options[name] !== undefined);
  if (wrong !== undefined) throw new OrchdError('ORCHD_USAGE', `--${wrong} works on this machine only`);
}

/** Starts the session on another machine, which adds the rest of the request. */
async function startThere(
  context: Context,
  machine: string,
  given: InputOf<'session.start'>,
  options: Options,
): Promise<Session> {
  const client = clientOn(context, machine);
  const { cwd } = await remoteDirectory(client, options);
  const input = { ...given, ...(cwd !== undefined && { cwd }) };
  return callStarting(context, () => client.call('session.start', input));
}

async function printStarted(
  context: Context,
  session: Session,
  options: Options,
  key: string | undefined,
): Promise<undefined> {
  const made = options['key'] === true && key !== undefined ? { key } : {};
  await context.print({ ...session, ...made }, () => `${session.id}\n`);
  if (options['key'] === true) context.note(`key: ${key}`);
}

/** Returns the exit code as shells do: 128 plus the signal's number if a signal ended the program. */
function exitCodeOf({ exitCode, signal }: { exitCode: number | null; signal: string | null }): number {
  // The daemon reports the signals of this system, so each name has a number here.
  const number = signal === null ? undefined : constants.signals[signal as NodeJS.Signals];
  return exitCode ?? (number === undefined ? EXIT.failed : 128 + number);
}

/**
 * Starts the session, with `--worktree` in a new worktree. If the session cannot be started, the worktree is removed.
 */
async function start(context: Context, input: InputOf<'session.start'>, options: Options): Promise<Session> {
  const wanted = options['worktree'];
  const client = context.client();
  if (wanted === undefined) return client.call('session.start', input);
  const { addWorktree, sessionNameOf } = await import('../../client/worktree.js');
  const branch = typeof wanted === 'string' ? wanted : (input.name ?? branchName(input.command));
  const worktree = await addWorktree(input.cwd ?? context.cwd, branch);
  try {
    // The branch name describes the session. It becomes the session's name unless it was derived from the program's
    // name.
    const isNamed = typeof wanted !== 'string' || input.name !== undefined;
    const name = isNamed ? null : await sessionNameOf(client, wanted);
    const named = name === null ? {} : { name };
    const session = await client.call('session.start', { ...input, ...named, cwd: worktree.directory });
    context.note(`worktree ${worktree.path}, branch ${worktree.branch}`);
    return session;
  } catch (error) {
    await worktree.undo();
    throw error;
  }
}

/** Returns a unique branch name, such as `claude-3f9a`. */
function branchName([program = 'session']: readonly string[]): string {
  return `${basename(program)}-${randomHex(2)}`;
}

/** @throws {OrchdError} ORCHD_USAGE, ORCHD_FILE */
async function batchInput(options: Options): Promise<Pick<InputOf<'session.start'>, 'mode' | 'stdin'>> {
  const file = text(options, 'stdin');
  if (!flag(options, 'batch')) {
    if (file === undefined) return {};
    throw new OrchdError('ORCHD_USAGE', '--stdin needs --batch: a program in a terminal is typed to');
  }
  if (file === undefined) return { mode: 'batch' };
  if (file === '-' && process.stdin.isTTY) {
    throw new OrchdError(
      'ORCHD_USAGE',
      '--stdin - reads standard input to its end, and that is a terminal: use a file or a pipe',
    );
  }
  const { readText } = await import('../input/read-input.js');
  return { mode: 'batch', stdin: await readText(file) };
}

const makeKey = (): string => randomHex(KEY_BYTES);

function startInput(command: readonly string[], options: Options, key: string | undefined): InputOf<'session.start'> {
  const size = text(options, 'size');
  const scrollback = text(options, 'scrollback');
  const name = text(options, 'name');
  const adapter = text(options, 'adapter');
  const tags = list(options, 'tag');
  return {
    command: [...command],
    ...(name !== undefined && { name }),
    ...(adapter !== undefined && { adapter }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(size !== undefined && { size: parseSize(size) }),
    ...(scrollback !== undefined && { scrollback: parseWhole('--scrollback', scrollback) }),
    ...(key !== undefined && { key }),
    ...(flag(options, 'teach') && { teach: true }),
    ...(flag(options, 'tools') && { tools: true }),
    ...(flag(options, 'withoutTools') && { tools: false }),
  };
}

/** Returns the part of the request that this machine adds: directory, environment, and its own defaults. */
function placeHere(context: Context, options: Options, { sessions }: Config) {
  const { cols, rows, scrollback } = sessions;
  return {
    cwd: resolve(context.cwd, text(options, 'cwd') ?? '.'),
    ...callerOf(context.env, list(options, 'env')),
    ...(text(options, 'size') === undefined && { size: { cols, rows } }),
    ...(text(options, 'scrollback') === undefined && { scrollback }),
  };
}
