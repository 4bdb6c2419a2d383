import { closeSync, openSync, writeSync } from 'node:fs';
import { displayLine, EXIT, type NotifyTestOutput, OrchdError } from '../../protocol/index.js';
import type { ChosenWay } from '../../tui/effects/notify-way.js';
import type { CommandSpec } from '../program/command.js';
import { type Context, readConfig, readDaemonConfig } from '../program/context.js';

/** The result of testing one way to notify. */
interface Outcome {
  readonly way: 'terminal' | 'command';
  readonly state: 'sent' | 'failed' | 'off';
  readonly detail: string;
  /** Advice for the user if the notification failed or was not noticed. */
  readonly hint: string;
}

export const notify: CommandSpec = {
  name: 'notify',
  group: 'Inbox and events',
  summary: 'Show how you are notified; `notify test` tries each way once and prints the result.',
  quiet: 'print only the way',
  examples: ['orchd notify', 'orchd notify test', 'ORCHD_NOTIFY_TERMINAL=osc777 orchd notify test'],
  async run(context) {
    const chosen = await chosenWay(context);
    // The terminal's setting is used here. The daemon uses the other settings, which it reads from no project file.
    const { terminal: _setting, ...rest } = (await readDaemonConfig(context)).notify;
    await context.print({ terminal: chosen, ...rest }, () => describeSettings(context, chosen, rest));
    return undefined;
  },
  actions: [
    {
      name: 'test',
      summary: 'Try each way once and print the result.',
      quiet: 'print nothing',
      run: (context) => tryEachWay(context),
    },
  ],
};

async function chosenWay(context: Context): Promise<ChosenWay> {
  const { chooseWay } = await import('../../tui/effects/notify-way.js');
  return chooseWay((await readConfig(context)).notify.terminal, context.env);
}

async function tryEachWay(context: Context): Promise<number | undefined> {
  const chosen = await chosenWay(context);
  const { notifySequence } = await import('../../tui/effects/notify-way.js');
  const { wrap } = await import('../../tui/paint/text.js');
  const text = 'This is a test: `orchd notify test`.';
  const sequence = notifySequence(chosen, { title: 'orchd can reach you', text, id: 'orchd-test' });
  const terminal = notifyTerminal(chosen, sequence);
  const { command, settings } = await notifyByCommand(context);
  const outcomes = [terminal, command];
  await context.print({ outcomes, daemon: settings }, () =>
    outcomes.map((one) => describe(context, one, wrap)).join(''),
  );
  if (settings?.quiet.now)
    context.note(`These are quiet hours (${settings.quiet.hours}): an item waits for their end.`);
  return outcomes.some(({ state }) => state === 'failed') ? EXIT.failed : undefined;
}

/** Writes to the controlling terminal, even if standard output is redirected. */
function notifyTerminal(chosen: ChosenWay, sequence: string): Outcome {
  const as = `${NAMES[chosen.way]}: ${chosen.why}`;
  if (chosen.way === 'off') return { way: 'terminal', state: 'off', detail: as, hint: SET_TERMINAL };
  try {
    const terminal = openSync('/dev/tty', 'w');
    writeSync(terminal, sequence);
    closeSync(terminal);
  } catch {
    const hint = 'Run this where you would attach to a session.';
    return { way: 'terminal', state: 'off', detail: 'there is no terminal here', hint };
  }
  return { way: 'terminal', state: 'sent', detail: as, hint: hintFor(chosen) };
}

const NAMES: Readonly<Record<ChosenWay['way'], string>> = {
  bell: 'the bell',
  osc9: 'OSC 9',
  osc777: 'OSC 777',
  osc99: 'OSC 99',
  off: 'nothing',
};
const SET_TERMINAL = 'Set notify.terminal to bell, osc9, osc777 or osc99 (`orchd config --default` shows where).';

function hintFor({ way, isInTmux }: ChosenWay): string {
  const unseen = 'Nothing happened?';
  if (way === 'bell') {
    const tmux = isInTmux ? ' In tmux: `set -g monitor-bell on`, `set -g bell-action any`.' : '';
    return `${unseen} Your terminal may be set to no bell.${tmux} ${SET_TERMINAL}`;
  }
  const tmux = isInTmux ? ' tmux must pass it on: `set -g allow-passthrough on`.' : '';
  return `${unseen}${tmux} Your desktop may hold it back, or the terminal not know it: try another notify.terminal.`;
}

/** Lets the daemon run the configured command, as it would for an item. */
async function notifyByCommand(context: Context): Promise<{ command: Outcome; settings: NotifyTestOutput | null }> {
  const failed = (detail: string, hint: string): Outcome => ({ way: 'command', state: 'failed', detail, hint });
  let settings: NotifyTestOutput;
  // The daemon reads no file of a project.
  const { notify } = await readDaemonConfig(context);
  const configured = notify.command;
  try {
    settings = await context.client().call('notify.test', {}, { timeoutMs: notify.timeout_ms + ANSWER_MS });
  } catch (error) {
    if (!(error instanceof OrchdError) || error.code !== 'ORCHD_DAEMON_UNREACHABLE') throw error;
    return { command: failed('no daemon is running, and it runs the command', 'Run `orchd start`.'), settings: null };
  }
  const { command: run } = settings;
  if (run === null) {
    if (configured !== '') {
      const hint = `The daemon was started before \`${configured}\` was configured: \`orchd restart\` reads it.`;
      return { command: { way: 'command', state: 'off', detail: 'the daemon knows none', hint }, settings };
    }
    const hint = `Set notify.command in ${context.paths.configFile}, then \`orchd restart\`.`;
    return { command: { way: 'command', state: 'off', detail: 'none is configured', hint }, settings };
  }
  const said = run.output === '' ? '' : `; it said: ${run.output.split('\n').at(-1)}`;
  const isOther = run.command !== configured;
  const other = isOther
    ? ` The file now has ${configured === '' ? 'no command' : `\`${configured}\``}: \`orchd restart\`.`
    : '';
  if (run.outcome === 'done') {
    const hint = `Nothing happened? Run it in your shell; the daemon has its own environment and directory.${other}`;
    return {
      command: { way: 'command', state: 'sent', detail: `done in ${run.ms} ms: ${run.command}`, hint },
      settings,
    };
  }
  const how = {
    failed: run.signal ?? `exit code ${run.exit_code}`,
    timed_out: `killed after ${run.ms} ms`,
    not_started: 'could not be started',
  }[run.outcome];
  const hint = `Correct notify.command in ${context.paths.configFile}, then \`orchd restart\`.`;
  return { command: failed(`${how}: ${run.command}${said}`, hint), settings };
}

/** Maximum time for the daemon's reply, in addition to the command's own time. */
const ANSWER_MS = 10_000;

const INDENT = ' '.repeat(19);
const PIPE_COLUMNS = 120;

function describe(context: Context, { way, state, detail, hint }: Outcome, wrap: Wrap): string {
  if (context.isQuiet) return '';
  const marks = { sent: context.paint('green', '✓ sent  '), failed: context.paint('red', '✗ failed'), off: '· off   ' };
  const lines = [displayLine(detail), hint].flatMap((text) =>
    wrap(text, (process.stdout.columns || PIPE_COLUMNS) - 20),
  );
  return lines.map((line, i) => `${i === 0 ? `${marks[state]} ${way.padEnd(10)}` : INDENT}${line}\n`).join('');
}

type Wrap = (text: string, columns: number) => string[];

function describeSettings(
  context: Context,
  { way, why }: ChosenWay,
  rest: { command: string; after_ms: number; quiet: string },
): string {
  if (context.isQuiet) return `${way}\n`;
  return [
    `terminal  ${NAMES[way]}: ${why}`,
    `command   ${rest.command || 'none'}`,
    `after     ${rest.after_ms} ms, if no person looks at the item or its session`,
    `quiet     ${rest.quiet || 'never'}`,
    '',
  ].join('\n');
}
