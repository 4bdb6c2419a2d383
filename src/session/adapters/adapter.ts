/**
 * Adapter: describes one agent program by data and pure functions, without I/O. To add an agent, add one file beside
 * this one, a line in `index.ts` and a folder in fixtures/adapters.
 *
 *     screen       how to read what it paints                                      (the screen ear)
 *     signals      what its screen and title report: ready, busy, composer, dialogs
 *     input        texts that it acts on instead of passing them to its model      (answers are typed so that it does not)
 *     start        additions to its command line and environment, per session      (nothing in the user's configuration)
 *     transcript   the file in which it records its words, and how that is read    (the transcript ear)
 *     hooks        questions of its hooks that can decide                          (`orchd hook`)
 *
 * Everything that is not given follows the general rules.
 */
import type { Voices } from '../../ears/index.js';

export interface Adapter {
  readonly name: string;
  /** The name for people. */
  readonly label: string;
  /** Names of the program's file. */
  readonly programs: readonly string[];
  readonly screen: ScreenTraits;
  readonly signals: Signals | null;
  readonly input: InputTraits;
  readonly start: StartTraits | null;
  readonly transcript: TranscriptTraits | null;
  /** The questions of its hooks; null if no hook can decide anything. */
  readonly hooks: HookTraits | null;
  /** Without a terminal; null where it has no such mode. */
  readonly batch: BatchTraits | null;
}

// ── screen ────────────────────────────────────────────────

export interface ScreenTraits {
  /** A window title that only this program sets: an agent that a shell has started is known by it. */
  readonly title: RegExp | null;
  /** `printed` if it shows the fences around code. Default: `swallowed`, so a visible fence is a quotation. */
  readonly fences: 'swallowed' | 'printed';
  /** True if the agent's own words are in boxes; otherwise only the output of a tool is. */
  readonly isBoxed: boolean;
  /** How it shows whose words they are; null where it does not, or by branch glyphs and boxes only. */
  readonly voices: Voices | null;
  /** Arguments that bring back an old conversation. */
  readonly resumes: RegExp;
}

// ── signals ────────────────────────────────────────────────

/** The result of a look at the screen, for the adapter to judge. */
export interface ScreenView {
  readonly rows: readonly ViewRow[];
  readonly title: string;
  /** The terminal's cursor, from 0; null while it is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

export interface ViewRow {
  readonly text: string;
  /** The same with everything dim blanked out: a composer's placeholder is dim. */
  readonly bright: string;
  /** The colour behind a column: a number that is the same for the same colour; 0 for the terminal's own. */
  readonly ground: (column: number) => number;
}

export interface Signals {
  /** A row that stands there once input counts: the composer is drawn. Typed before that, it would be lost. */
  readonly ready: RegExp;
  /** After `ready` first stood there, so long until input is safe. */
  readonly readyQuietMs: number;
  /** A program that has not shown `ready` after so long is another version: it is typed to as to any program. */
  readonly readyLimitMs: number;
  /** Its title, or a row of its screen, while it works on a turn. */
  readonly busy: {
    readonly title: RegExp | null;
    readonly row: RegExp | null;
    /** The row holds a spinner: one that stands still for STALE_SPINNER_MS was left behind by a turn that is over. */
    readonly isSpinner?: true;
  };
  /**
   * Returns the text in the composer: '' if it is empty, null if no composer is visible. Input counts only if there is
   * a composer.
   */
  readonly composer: (view: ScreenView) => string | null;
  /**
   * Returns a permission prompt, a trust dialog, or a question of the program; null if there is none. Called only if no
   * composer is visible.
   */
  readonly dialog: (view: ScreenView) => Dialog | null;
}

/** A question of the program itself to the person. */
export interface Dialog {
  readonly text: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  /** Keys that choose it; null if only an attached person can. */
  readonly keys: string | null;
}

// ── input ────────────────────────────────────────────────

/** Inputs that the agent does not hand to its model as they were typed. Try each entry with the real program. */
export interface InputTraits {
  /** Whole inputs that the agent acts on, in lower case: `exit`. Blanks around them do not count. */
  readonly actions: readonly string[];
  /** An input that begins with one of these characters is a command, even behind blanks. */
  readonly commands: string;
  /** An input that begins with one of these is a command, a file or a memory, unless a blank stands before it. */
  readonly marks: string;
  /**
   * If the last word of an input holds one of these characters, Enter may complete that word, or break the line,
   * instead of sending.
   */
  readonly endings: string;
  /**
   * Text typed after a backslash at the end: a blank, or U+2800 for programs that look for the backslash before blanks.
   */
  readonly afterBackslash: string;
  /** The text that the agent makes of a tab in a paste. */
  readonly tab: string;
}

// ── start ────────────────────────────────────────────────

export interface StartTraits {
  /** Its option for the model. */
  readonly model: string;
  /** Version that this file was tried with. */
  readonly triedVersion: string;
  /** Flags that may be added, each only if the installed version's `--help` names it. */
  readonly flags: readonly string[];
  /** Returns the command to start for `argv`, so that the agent is heard, taught, and leaves nothing behind. */
  readonly launch: (request: LaunchRequest) => Launch;
  /** Returns the command line that resumes an earlier conversation, instead of the original command line. */
  readonly resume: (argv: readonly string[], agentSessionId: string) => readonly string[];
  /** Sentences for `orchd doctor`: what orchd adds, when it adds nothing, and what keeps running afterwards. */
  readonly notes: readonly string[];
}

/** How the MCP server of orchd's tools is started for one session. */
export interface ToolsServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Says which session it speaks for; holds its token. */
  readonly env: Readonly<Record<string, string>>;
}

/** Facts about the machine on which an agent is started. No function throws. */
export interface Machine {
  /** Returns the content of a file; null if it does not exist or cannot be read. */
  readonly text: (path: string) => string | null;
  /**
   * True if only root can write to a folder and all its parents, and this process is root. The folder need not exist
   * yet.
   */
  readonly isRootsAlone: (folder: string) => boolean;
}

export interface LaunchRequest {
  /** As the person gave it; the program first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A fresh UUID, for programs that take one. */
  readonly uuid: string;
  /** Instructions to pass on; null for none. */
  readonly teach: string | null;
  /** Tools to offer; not there for none. */
  readonly tools?: ToolsServer;
  /** The command that a hook runs to ask the person, as words. It gets the session's variables. */
  readonly hook: readonly string[];
  /** A folder of this session's own, mode 0700: where `Launch.files` go, and hooks append what they say. */
  readonly dir: string;
  /** True if `--help` of the installed version names a flag. An older version must start as well. */
  readonly hasFlag: (flag: string) => boolean;
  readonly machine: Machine;
}

export interface Launch {
  readonly argv: readonly string[];
  /** Variables that are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that are written before the start, by name in `dir`. */
  readonly files: Readonly<Record<string, string>>;
  /** The conversation's id, where it is known before it starts. */
  readonly agentSessionId: string | null;
  /** True if `teach` could be passed on without typing, or if there was nothing to teach. */
  readonly isTaught: boolean;
  /** The tools are offered. */
  readonly hasTools?: true;
}

// ── transcript ────────────────────────────────────────────────

export interface TranscriptTraits {
  /**
   * Variables that name the folders of its files. They are stored with the session, so that the files are found after a
   * restart.
   */
  readonly env: readonly string[];
  /** Returns the sources of this session's files; [] if the command line starts no conversation. */
  readonly sources: (about: TranscriptAbout) => readonly TranscriptSource[];
  /** Returns the folder of its conversations. A `session` item may name files only below it. Null if it names none. */
  readonly home: (about: Pick<TranscriptAbout, 'env'>) => string | null;
  /**
   * Reads one line of such a file. Never throws. Needs no other line, so that reading may begin anywhere.
   *
   * @param isFeed True for a line of the feed, to which our hooks and plugins append, and any other program that knows
   * its path. Only their kinds of records count there, and only there.
   */
  readonly read: (line: string, isFeed: boolean) => Reading;
}

/**
 * The items of a line, and the time when the agent wrote it (milliseconds since the epoch), if it has one. Items from
 * before the session are ignored.
 */
export interface Reading {
  readonly at: number | null;
  readonly items: readonly TranscriptItem[];
}

export interface TranscriptAbout {
  /** As the person gave it; the program first. */
  readonly argv: readonly string[];
  /** At least the variables of `TranscriptTraits.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly dir: string;
  readonly agentSessionId: string | null;
}

export type TranscriptSource =
  /** This very file; it may not exist yet. */
  | { readonly kind: 'file'; readonly path: string }
  /**
   * The file in `dir`, `depth` folders below, with a matching name, that was written to since the session began.
   * `isOurs` checks its first line. If the system tells which files a process holds open, that decides, also when the
   * program continues in another file.
   */
  /**
   * Files in which the program may continue without a notice, as after `/clear`: in `dir`, `depth` folders below. orchd
   * reads them only while the transcript is lost, and follows the one that holds the prompt that it typed last.
   */
  | { readonly kind: 'next'; readonly dir: string; readonly depth: number; readonly name: RegExp }
  | {
      readonly kind: 'newest';
      readonly dir: string;
      readonly depth: number;
      /** Folders are named by date: only the last two of each level are looked into. */
      readonly isByDate: boolean;
      readonly name: RegExp;
      /** @param isOpen  Whether a process of this session holds the file open; null where the system does not tell. */
      readonly isOurs: (firstLine: string, isOpen: boolean | null) => boolean;
    };

/** A record of a transcript or a hook, in the order in which the agent wrote them. */
export type TranscriptItem =
  /** Words of the agent, exact markdown; a document of its own. */
  | { readonly kind: 'text'; readonly text: string }
  /** The person runs a command of their own in the agent's program: what it prints is not the agent's words. */
  | { readonly kind: 'local' }
  /** A person's input that the agent has taken. */
  | { readonly kind: 'prompt'; readonly text: string }
  /**
   * The agent has ended its turn. `by`: a hook reports it, which does not know how far the transcript is. `after`: the
   * last input of the finished turn, if the hook also reports other conversations. It counts if orchd typed that input
   * last.
   */
  | { readonly kind: 'idle'; readonly by?: 'hook'; readonly after?: string }
  /**
   * The agent itself asks for the person (a hook). `id` is repeated when it is decided. If there are several, the first
   * waits for the person.
   */
  | { readonly kind: 'attention'; readonly text: string; readonly id?: string }
  /** The question is decided, here or in the program; without `id`, any question. */
  | { readonly kind: 'decided'; readonly id?: string }
  /**
   * The conversation's id, and another file in which it continues. `isOld`: the present content of that file is old.
   */
  | {
      readonly kind: 'session';
      readonly agentSessionId: string;
      readonly path: string | null;
      readonly isOld: boolean;
    };

// ── hooks ────────────────────────────────────────────────

/** Hooks that wait for the person: `orchd hook` is given what the agent asks, and prints what is decided. */
export interface HookTraits {
  /** @returns  Null where it asks nothing, or nothing that its hook could decide. Never throws. */
  readonly ask: (payload: Readonly<Record<string, unknown>>) => HookQuestion | null;
}

export interface HookQuestion {
  /** All of it: the person may see nothing else. */
  readonly text: string;
  /**
   * The part of the question that the agent's own dialog shows. A dialog without it belongs to another question. Null
   * if it is unknown.
   */
  readonly shows: string | null;
  readonly choices: readonly HookChoice[];
}

export interface HookChoice {
  /** As the agent's dialog calls it. With a blank at its end it takes words. */
  readonly label: string;
  /** Returns the output of the hook. @param words The text after the label. */
  readonly output: (words: string) => Readonly<Record<string, unknown>>;
}

// ── batch ────────────────────────────────────────────────

/** One turn of a conversation without a terminal: the prompt goes in, words come out, the program ends. */
export interface BatchTraits {
  /** The command line of one turn. */
  readonly command: (request: BatchRequest) => BatchCommand;
  /** Reads one line of standard output as it arrives, like a transcript's line. Never throws. */
  readonly read: (line: string) => Reading;
  /** Returns the outcome of the whole output, after the end. Never throws. */
  readonly outcome: (output: BatchOutput) => BatchOutcome;
  /**
   * True if the reported tokens and cost are those of the whole conversation, including earlier turns. Default: of this
   * turn.
   */
  readonly countsConversation?: boolean;
}

export interface BatchRequest {
  /** The program, and what the person gave with it. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** The addition to its system prompt; null if there is none. */
  readonly system: string | null;
  readonly model: string | null;
  /** Limit of the agent's own turns; null for its default. */
  readonly maxTurns: number | null;
  /** The conversation that goes on; null for a new one. */
  readonly resume: string | null;
  /** A fresh UUID, for programs that take one. */
  readonly uuid: string;
  /** Tools to offer, and to allow, because no person can be asked; absent if there are none. */
  readonly tools?: ToolsServer;
  /** As `LaunchRequest.dir`, `hasFlag` and `machine`. */
  readonly dir: string;
  readonly hasFlag: (flag: string) => boolean;
  readonly machine: Machine;
}

export interface BatchCommand {
  readonly argv: readonly string[];
  /** Its whole standard input; null for none. */
  readonly stdin: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Files that are written before the start, by name in `dir`. */
  readonly files: Readonly<Record<string, string>>;
  /** The conversation's id, where it is known before it starts. */
  readonly agentSessionId: string | null;
  /** True if `system` went through a flag or a file of its own; false if it is put before the prompt. */
  readonly isTaught: boolean;
  /** The tools are offered by MCP. */
  readonly hasTools?: true;
}

export interface BatchOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** When it ended, in milliseconds since the epoch: some say `in 3 hours`, or `at 3pm`, when they may go on. */
  readonly now: number;
}

export interface BatchOutcome {
  /** The agent's final message, exact; null where there is none. */
  readonly text: string | null;
  readonly agentSessionId: string | null;
  readonly usage: BatchUsage | null;
  /** The error in the program's own words; null if there is none. */
  readonly error: string | null;
  /**
   * The account may not continue until this time (milliseconds since the epoch; null if the program does not say). Null
   * if there is no such limit.
   */
  readonly limit: { readonly resetsAt: number | null } | null;
  /** The conversation that should go on is not there any more. */
  readonly isForgotten: boolean;
}

/** The cost of the turn, as far as the program reports it. */
export interface BatchUsage {
  /** Those from its cache as well. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cost_usd: number | null;
  /** Number of the agent's own turns in this turn. */
  readonly turns: number | null;
}

// ── general rules ────────────────────────────────────────────────

/** Arguments that resume a conversation, for programs without an adapter. */
export const RESUMES = /^(?:--?(?:resume|continue|session|fork)(?:=.*)?|-[crs]|resume|fork)$/;

export const GENERIC_SCREEN: ScreenTraits = {
  title: null,
  fences: 'swallowed',
  isBoxed: false,
  voices: null,
  resumes: RESUMES,
};

/**
 * The table for full-screen programs without an adapter: all texts that a known agent acts on, and others that are
 * likely.
 */
export const GENERIC_INPUT: InputTraits = {
  actions: [
    ...['exit', 'quit', 'q', 'bye', 'logout', 'help', '?', 'clear', 'cls'],
    ...[':q', ':q!', ':qa', ':qa!', ':x', ':wq', ':wq!'],
  ],
  commands: '/!',
  marks: '#@&$',
  endings: '@#$/:~\\',
  afterBackslash: '\u2800', // Continue breaks the line although blanks stand behind the backslash.
  tab: '\t',
};

/** The table of agents: the characters count for all of them, because a new version may begin to act on one. */
export const AGENT_INPUT: InputTraits = { ...GENERIC_INPUT, actions: [], endings: '@#$/\\', afterBackslash: ' ' };

export const GENERIC: Adapter = {
  name: 'shell',
  label: 'any other program',
  programs: [],
  screen: GENERIC_SCREEN,
  signals: null,
  input: GENERIC_INPUT,
  start: null,
  transcript: null,
  hooks: null,
  batch: null,
};
