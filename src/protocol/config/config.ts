/**
 * The configuration: every option with its default and description. `orchd config --default` prints this table as TOML.
 * config-file.ts is separate, because few people have a configuration file and its TOML parser takes time to load.
 *
 * Precedence: defaults < the user's config.toml < the project's .orchd/config.toml < environment (ORCHD_SECTION_NAME) <
 * flags.
 *
 * The file is long because it is one table, in which each option is declared once.
 */
import { OrchdError } from '../errors.js';
import type { WorkflowProfile } from '../generated/types.js';
import { nearest } from '../text/index.js';
import { parseListen, parseProxy } from './listen-address.js';
import { checkLabels } from './machine-labels.js';
import { parseQuietHours } from './quiet-hours.js';
import { checkAccept } from './remote-needs.js';
import { ATTACH_SEGMENTS, LINE_SEGMENTS, segmentProblem, TUI_SEGMENTS } from './status-segments.js';

interface Option<T> {
  readonly value: T;
  readonly doc: string;
  /** Returns a description of valid values if the value is invalid; null if it is valid. */
  readonly check?: (value: T) => string | null;
}

const option = <T extends string | number | boolean>(
  value: T,
  doc: string,
  check?: (value: T) => string | null,
): Option<T> => (check ? { value, doc, check } : { value, doc });

const range = (low: number, high: number) => (value: number) =>
  Number.isInteger(value) && value >= low && value <= high ? null : `a whole number from ${low} to ${high}`;

const atLeastZero = (value: number): string | null =>
  Number.isFinite(value) && value >= 0 ? null : 'a number from 0 on';

const absolutePath = (path: string): string | null =>
  path === '' || path.startsWith('/') ? null : 'an absolute path, or nothing';

/** Minimum of `retention.session_bytes`. A journal is cut in whole segments of 8 MiB. */
const MIN_SESSION_BYTES = 16 * 1024 * 1024;
/** Maximum size of a configuration file. */
export const MAX_CONFIG_BYTES = 1024 * 1024;
const NOTIFY_WAYS: readonly string[] = ['auto', 'bell', 'osc9', 'osc777', 'osc99', 'off'];
/** The names of the themes; the TUI defines their styles. */
export const THEME_NAMES: readonly string[] = ['dark', 'light', 'high-contrast', 'none'];
/** The section with the keys of the TUI's actions: any name with a text. The TUI validates the names. */
const KEYS = 'keys';
/** The section that has one subsection for each named profile of an agent program. */
const PROFILES = 'profiles';

export const OPTIONS = {
  daemon: {
    tcp: option<boolean>(true, 'true: the API listens on 127.0.0.1 as well as on its Unix socket.'),
    port: option<number>(8765, 'The TCP port.', range(0, 65535)),
    catch_up_ms: option<number>(
      5000,
      'Milliseconds that a start spends on output from before it; then it answers requests while it reads the rest.',
      range(0, 600_000),
    ),
    warm_up: option<boolean>(false, 'Has no effect. It is accepted because earlier versions had a warm-up.'),
  },
  web: {
    listen: option<string>(
      '',
      'Address and port at which browsers on other devices reach the dashboard, e.g. 0.0.0.0:8443; beyond this ' +
        'machine only with tls_cert or behind_proxy; empty: none.',
      (text) => (text === '' || parseListen(text) !== null ? null : 'ADDRESS:PORT, or nothing'),
    ),
    tls_cert: option<string>('', 'The file of the certificate chain for web.listen (PEM).', absolutePath),
    tls_key: option<string>('', 'The file of its private key (PEM).', absolutePath),
    behind_proxy: option<string>(
      '',
      'The address of a reverse proxy with TLS that passes browsers on to the daemon, e.g. https://orchd.example.org.',
      (text) => (text === '' || parseProxy(text) !== null ? null : 'an https:// address without a path, or nothing'),
    ),
  },
  sessions: {
    cols: option<number>(120, 'Columns of a session without an attached client.', range(1, 1000)),
    rows: option<number>(40, 'Rows of a session without an attached client.', range(1, 1000)),
    scrollback: option<number>(2000, 'Lines kept above the screen.', range(0, 100_000)),
    keep_on_exit: option<boolean>(
      false,
      'true: an attached client stays on the last screen when the program ends: r restarts it, q leaves.',
    ),
    tools: option<boolean>(
      true,
      'true: agents that are taught (--teach) are offered the tools by MCP; false: only with --tools.',
    ),
    tool_grace_ms: option<number>(
      15_000,
      'Milliseconds that an answer waits for a caller of the tool that asked; then it is typed into the agent.',
      range(0, 86_400_000),
    ),
    name_questions: option<boolean>(
      true,
      'true: an answer typed into an agent begins with its question while the agent waits for other answers too.',
    ),
    children_answer: option<boolean>(
      false,
      'true: an agent may answer what sessions ask that it started, but no reviews, dialogs, plans and gates. A ' +
        'project cannot set this.',
    ),
    read_others: option<boolean>(
      false,
      'true: a program inside a session may read all sessions, not only itself and those it started. A ' +
        'project cannot set this.',
    ),
    stall_ms: option<number>(
      20_000,
      'Milliseconds after which an accepted answer that is not written yet becomes stalled, with a reason.',
      range(100, 86_400_000),
    ),
    kill_grace_ms: option<number>(3000, 'Milliseconds between TERM and KILL.', range(0, 60_000)),
  },
  runs: {
    adapter: option<string>('', 'The agent program for runs that name none, e.g. claude.'),
    parallel: option<number>(4, 'Number of runs at a time; others wait in order.', range(1, 1000)),
    max_children: option<number>(
      20,
      'Number of running agents that one session may have started (spawn_agent).',
      range(0, 1000),
    ),
    max_depth: option<number>(4, 'Depth to which agents may start agents.', range(0, 100)),
  },
  budget: {
    session_usd: option<number>(
      0,
      'Dollars that a session may cost before an item says so, and again at each multiple; 0: no limit. A project ' +
        'cannot set this.',
      atLeastZero,
    ),
    session_tokens: option<number>(
      0,
      'The same for tokens, in and out, without cached ones: for agents that name no price. A project cannot set this.',
      atLeastZero,
    ),
  },
  notify: {
    terminal: option<string>(
      'auto',
      'How the TUI and attached terminals notify you: auto, bell, osc9, osc777, osc99 or off.',
      (way) => (NOTIFY_WAYS.includes(way) ? null : `one of ${NOTIFY_WAYS.join(', ')}`),
    ),
    command: option<string>(
      '',
      'A shell command that the daemon runs, with the notification as JSON on its standard input.',
    ),
    timeout_ms: option<number>(10_000, 'Time limit of the command in milliseconds.', range(100, 600_000)),
    after_ms: option<number>(
      1000,
      'Milliseconds that an item must be open before a notification.',
      range(0, 86_400_000),
    ),
    quiet: option<string>(
      '',
      'Hours of local time without notifications, e.g. 22:00-07:00; afterwards everything at once.',
      (hours) =>
        hours === '' || parseQuietHours(hours) !== null ? null : 'two times of day such as 22:00-07:00, or nothing',
    ),
  },
  retention: {
    days: option<number>(
      90,
      'Days that ended sessions, closed items and events are kept; 0: for ever.',
      range(0, 36_500),
    ),
    max_bytes: option<number>(
      0,
      'If all journals together have more bytes, the sessions that ended first are removed; 0: no limit.',
      range(0, Number.MAX_SAFE_INTEGER),
    ),
    session_bytes: option<number>(
      256 * 1024 * 1024,
      'Maximum bytes of a living session’s journal; above, its oldest output is dropped, except that of open ' +
        'items; 0: no limit.',
      (bytes) =>
        bytes === 0 || (Number.isInteger(bytes) && bytes >= MIN_SESSION_BYTES)
          ? null
          : `0, or a whole number from ${MIN_SESSION_BYTES}`,
    ),
    min_free: option<number>(
      64 * 1024 * 1024,
      'Bytes to keep free on the disk of the journals (at most a twentieth of it); below, the sessions that ' +
        'print most are paused; 0: no minimum.',
      range(0, Number.MAX_SAFE_INTEGER),
    ),
  },
  hub: {
    share: option<string>(
      'inbox',
      'inbox: a hub gets events and questions, and nothing else that a terminal shows; screens: events as they ' +
        'are. A project cannot set this.',
      (value) => (value === 'inbox' || value === 'screens' ? null : 'inbox or screens'),
    ),
    accept: option<string>(
      'read, answer',
      'What machines with an enrolled key may do here, with commas: read, answer, type, start; empty: nothing. Without ' +
        '`orchd hub enroll` nothing is accepted. A project cannot set this.',
      checkAccept,
    ),
    rate: option<number>(
      20_000,
      'Events a second that this machine publishes at most; 0: no limit. A project cannot set this.',
      range(0, Number.MAX_SAFE_INTEGER),
    ),
    labels: option<string>(
      '',
      'The labels of this machine, with commas, such as gpu. It takes the work that Agentfiles place `ON label:gpu`, if ' +
        'hub.accept has "start". A project cannot set this.',
      checkLabels,
    ),
  },
  tui: {
    prefix: option<string>(
      'C-]',
      'The prefix key in an attached session; pressed twice, it is sent to the program.',
      (key) => (/^C-[a-z@[\\\]^_]$/.test(key) ? null : 'C- and a letter or one of @ [ \\ ] ^ _'),
    ),
    status: option<boolean>(true, 'true: an attached session shows a status row in the last row.'),
    clipboard: option<string>(
      'off',
      'write: programs in an attached session may write to the clipboard; off: each text needs prefix y. What you copy is always written.',
      (value) => (value === 'off' || value === 'write' ? null : 'off or write'),
    ),
    go_on: option<boolean>(
      true,
      'true: after an answer in an attached session, the next session that waits for you is shown.',
    ),
    theme: option<string>(
      'dark',
      'The TUI’s colours: dark, light, high-contrast or none. NO_COLOR means none.',
      (name) => (THEME_NAMES.includes(name) ? null : `one of ${THEME_NAMES.join(', ')}`),
    ),
    mouse: option<boolean>(
      true,
      'true: the TUI uses clicks and the wheel, and the wheel looks back in an attached session; false: the ' +
        'terminal does.',
    ),
  },
  status: {
    attach: option<string>(
      'name state mode size link guests | open place keys',
      `The status row of an attached session; right of | what stands right: ${ATTACH_SEGMENTS.join(', ')}.`,
      (text) => segmentProblem(text, ATTACH_SEGMENTS),
    ),
    tui: option<string>(
      'sessions workflows open | health',
      `The first line of the TUI: ${TUI_SEGMENTS.join(', ')}.`,
      (text) => segmentProblem(text, TUI_SEGMENTS),
    ),
    line: option<string>(
      'sessions open waiting health',
      `What \`orchd status --line\` prints, for the status line of tmux: ${LINE_SEGMENTS.join(', ')}.`,
      (text) => segmentProblem(text, LINE_SEGMENTS),
    ),
  },
} as const;

type Options = typeof OPTIONS;
export type Config = {
  readonly [S in keyof Options]: {
    readonly [N in keyof Options[S]]: Options[S][N] extends Option<infer T> ? T : never;
  };
} & {
  readonly keys: Readonly<Record<string, string>>;
  /** The profiles that REQUIRES in an Agentfile names. */
  readonly profiles: Readonly<Record<string, WorkflowProfile>>;
};
export type Values = Record<string, Record<string, string | number | boolean>>;

/** Old names of options, which are still accepted. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'runs.default_adapter': 'adapter' };

/**
 * Options that a project's file may set: those that commands read where they are called. The daemon reads no project's
 * file. Options that decide what agents may do, such as `tui.clipboard`, are not among them, because an agent could
 * write the file.
 */
const OF_PROJECTS: Readonly<Record<string, readonly string[]>> = {
  sessions: ['cols', 'rows', 'scrollback', 'keep_on_exit'],
  notify: ['terminal'],
  tui: ['prefix', 'status', 'go_on', 'theme', 'mouse'],
  status: ['attach', 'tui', 'line'],
};

/**
 * Returns a project's values without the options that only a person's own configuration may set.
 * @throws {OrchdError} ORCHD_CONFIG for a wrong value, as `mergeConfig`.
 */
export function projectSource(source: ConfigSource): ConfigSource {
  const ignored = new Set(ignoredOptions(source));
  const kept = Object.entries(source.values).map(([section, options]) => [
    section,
    Object.fromEntries(
      Object.entries(options).filter(([name, value]) => {
        if (!ignored.has(`${section}.${name}`)) return true;
        checkValue(placeOf(source, section, name), section, nameOf(section, name), value);
        return false;
      }),
    ),
  ]);
  return { ...source, values: Object.fromEntries(kept) };
}

/** Returns the options of a project's file that have no effect there, such as `runs.adapter`. */
export const ignoredOptions = ({ values }: ConfigSource): string[] =>
  Object.entries(values).flatMap(([section, options]) =>
    Object.keys(options)
      .filter((name) => isKnown(section, name) && !OF_PROJECTS[section]?.includes(name))
      .map((name) => `${section}.${name}`),
  );

/** True for an option of the table. Keys and profiles are not in it. */
const isKnown = (section: string, name: string): boolean =>
  nameOf(section, name) in ((OPTIONS as Readonly<Record<string, object>>)[section] ?? {});

const nameOf = (section: string, given: string): string => OTHER_NAMES[`${section}.${given}`] ?? given;

function placeOf({ name, lineOf }: ConfigSource, section: string, given: string): string {
  const line = lineOf?.(section, given) ?? null;
  return line === null ? name : `${name}, line ${line}`;
}

/** A file or another origin of values. */
export interface ConfigSource {
  /** A file's path, or `environment`. */
  readonly name: string;
  readonly values: Values;
  /** Returns the line on which an option is set; null if it is unknown. */
  readonly lineOf?: (section: string, name: string) => number | null;
}

/**
 * @param sources The sources in order of increasing precedence.
 * @throws {OrchdError} ORCHD_CONFIG for an unknown option or a value of the wrong type. The message names the source
 *   and valid values.
 */
export function mergeConfig(sources: readonly ConfigSource[]): Config {
  const merged: Values = { [KEYS]: {}, [PROFILES]: {} };
  const places = new Map<string, string>();
  for (const [section, options] of Object.entries(OPTIONS)) {
    merged[section] = Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, value]));
  }
  for (const source of sources) {
    for (const [section, options] of Object.entries(source.values)) {
      for (const [given, value] of Object.entries(options)) {
        const name = nameOf(section, given);
        const place = placeOf(source, section, given);
        checkValue(place, section, name, value);
        if (section === KEYS) places.set(name, place);
        Object.assign(merged[section] ?? {}, { [name]: value });
      }
    }
  }
  const config = merged as unknown as Config; // every option was set from the table
  placesOfKeys.set(config.keys, places);
  return config;
}

/**
 * File and line of each name in a [keys] section. They are not in the `Config` object, because commands print that
 * object.
 */
const placesOfKeys = new WeakMap<Config['keys'], ReadonlyMap<string, string>>();

/**
 * Returns the error for a name in [keys], which only the TUI can check. The message begins with the file and line that
 * set it, if `mergeConfig` made the section.
 */
export function keyError(keys: Config['keys'], name: string, words: string): OrchdError {
  const place = placesOfKeys.get(keys)?.get(name);
  return new OrchdError('ORCHD_CONFIG', place === undefined ? words : `${place}: ${words}`);
}

function checkValue(source: string, section: string, name: string, value: unknown): void {
  if (section === KEYS) {
    if (typeof value === 'string') return;
    throw new OrchdError('ORCHD_CONFIG', `${source}: keys.${name} must be a text such as "C-n" or "n F2"`);
  }
  if (section === PROFILES) {
    if (isProfile(value)) return;
    const message = `${source}: [profiles.${name}] needs adapter or model, or both, each a text`;
    throw new OrchdError('ORCHD_CONFIG', message);
  }
  // The section may be unknown.
  const options = OPTIONS as unknown as Record<string, Record<string, Option<never>> | undefined>;
  const known = Object.hasOwn(OPTIONS, section) ? options[section] : undefined;
  const entry = known && Object.hasOwn(known, name) ? known[name] : undefined;
  if (!entry) {
    throw new OrchdError(
      'ORCHD_CONFIG',
      `${source}: there is no option ${section}.${name}; ` +
        `${known ? otherOptions(section, name) : otherSections(section)}`,
    );
  }
  const wanted =
    typeof entry.value === typeof value ? (entry.check?.(value as never) ?? null) : `a ${typeof entry.value}`;
  if (wanted !== null) {
    throw new OrchdError(
      'ORCHD_CONFIG',
      `${source}: ${section}.${name} is ${JSON.stringify(value)}, but must be ${wanted}`,
    );
  }
}

/** Suggests an option of the section, else the same name in another section, else lists the section's options. */
function otherOptions(section: string, name: string): string {
  const here = Object.keys(OPTIONS[section as keyof typeof OPTIONS]);
  const near = nearest(name, here);
  if (near !== null) return `did you mean ${section}.${near}?`;
  const elsewhere = Object.entries(OPTIONS).find(([, options]) => Object.hasOwn(options, name));
  if (elsewhere !== undefined) return `did you mean ${elsewhere[0]}.${name}?`;
  return `[${section}] has ${here.join(', ')}`;
}

function otherSections(section: string): string {
  const all = [...Object.keys(OPTIONS), KEYS, PROFILES];
  const near = nearest(section, all);
  return near === null
    ? `there are the sections ${all.map((name) => `[${name}]`).join(', ')}`
    : `did you mean [${near}]?`;
}

function isProfile(value: unknown): value is WorkflowProfile {
  if (typeof value !== 'object' || value === null) return false;
  const fields = Object.entries(value);
  const isField = ([name, text]: [string, unknown]): boolean =>
    (name === 'adapter' || name === 'model') && typeof text === 'string' && text !== '';
  return fields.length > 0 && fields.every(isField);
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

/**
 * Converts a text from the environment. A text that cannot be converted is kept, and later rejected with its source.
 */
function fromText(text: string, type: string): string | number | boolean {
  if (type === 'boolean') return Object.hasOwn(BOOLEANS, text) ? (BOOLEANS[text] ?? text) : text;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Reads options from variables such as `ORCHD_DAEMON_PORT=9000` → daemon.port. */
export function configFromEnvironment(env: Readonly<Record<string, string | undefined>>): ConfigSource {
  const values: Values = {};
  for (const [variable, text] of Object.entries(env)) {
    const name = /^ORCHD_KEYS_(.+)$/.exec(variable)?.[1]?.toLowerCase();
    if (name !== undefined && text !== undefined) values[KEYS] = { ...values[KEYS], [name]: text };
  }
  for (const [section, options] of Object.entries(OPTIONS)) {
    for (const [name, { value }] of Object.entries(options)) {
      const text = env[`ORCHD_${section}_${name}`.toUpperCase()];
      if (text === undefined) continue;
      const parsed = typeof value === 'string' ? text : fromText(text, typeof value);
      values[section] = { ...values[section], [name]: parsed };
    }
  }
  return { name: 'environment', values };
}
