/**
 * What orchd knows of one agent program: data and pure functions, no I/O. A new agent is one file beside this one, a line in `index.ts`
 * and a folder in fixtures/adapters.
 *
 *     screen       how to read what it paints                                       (the screen ear)
 *     signals      what its screen and title say of it: ready, busy, composer, dialogs
 *     input        what it acts on instead of handing it to its model                (an answer is typed so that it does not)
 *     start        what is added to its command line and environment, per session   (nothing in the user's own configuration)
 *     transcript   where it writes down exactly what it said, and how that is read  (the transcript ear)
 *     hooks        what it asks by hooks that can decide                             (`orchd hook`)
 *
 * Everything that is not said follows the general rules.
 */
import type { Voices } from '../../ears/index.js';

export interface Adapter {
  readonly name: string;
  /** What people call it. */
  readonly label: string;
  /** Names of the program's file. */
  readonly programs: readonly string[];
  readonly screen: ScreenTraits;
  readonly signals: Signals | null;
  readonly input: InputTraits;
  readonly start: StartTraits | null;
  readonly transcript: TranscriptTraits | null;
  /** What its hooks ask; null where none of them can decide anything. */
  readonly hooks: HookTraits | null;
  /** Without a terminal; null where it has no such mode. */
  readonly batch: BatchTraits | null;
}

// ── screen ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface ScreenTraits {
  /** A window title that only this program sets: an agent that a shell has started is known by it. */
  readonly title: RegExp | null;
  /** Whether it shows the fences around code. Default: it swallows them, and a visible fence is a quotation. */
  readonly fences: 'swallowed' | 'printed';
  /** Whether the agent's own words stand in boxes; a tool's output does. */
  readonly isBoxed: boolean;
  /** How it shows whose words they are; null where it does not, or by branch glyphs and boxes only. */
  readonly voices: Voices | null;
  /** Arguments that bring back an old conversation. */
  readonly resumes: RegExp;
}

// ── signals ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a look at the screen shows, for the adapter to judge. */
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
  /** What stands in the composer: '' for nothing, null where no composer is visible. Input counts only where there is one. */
  readonly composer: (view: ScreenView) => string | null;
  /** A permission prompt, a trust dialog, a question of its own; null for none. It is asked only where no composer is visible. */
  readonly dialog: (view: ScreenView) => Dialog | null;
}

/** What the program itself asks of the person. */
export interface Dialog {
  readonly text: string;
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly label: string;
  /** What is typed to choose it; null where only a person can, who attaches. */
  readonly keys: string | null;
}

// ── input ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Inputs that the agent does not hand to its model as they were typed. Try each entry with the real program. */
export interface InputTraits {
  /** Whole inputs that the agent acts on, in lower case: `exit`. Blanks around them do not count. */
  readonly actions: readonly string[];
  /** An input that begins with one of these characters is a command, even behind blanks. */
  readonly commands: string;
  /** An input that begins with one of these is a command, a file or a memory, unless a blank stands before it. */
  readonly marks: string;
  /** If the last word of an input holds one of these, Enter may complete that word, or break the line, instead of sending. */
  readonly endings: string;
  /** Text typed behind a backslash at the end: a blank, or U+2800 for programs that look for the backslash before blanks. */
  readonly afterBackslash: string;
  /** The text that the agent makes of a tab in a paste. */
  readonly tab: string;
}

// ── start ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface StartTraits {
  /** Its option for the model. */
  readonly model: string;
  /** Version that this file was tried with. */
  readonly triedVersion: string;
  /** Flags that may be added, each only if the installed version's `--help` names it. */
  readonly flags: readonly string[];
  /** What is started for `argv`, so that the agent is heard, taught, and leaves nothing behind. */
  readonly launch: (request: LaunchRequest) => Launch;
  /** The command line that goes on with an earlier conversation, in the place of the one that it was started with. */
  readonly resume: (argv: readonly string[], agentSessionId: string) => readonly string[];
  /** In words, for `orchd doctor`: what is added, and what is known to be left behind. */
  readonly notes: readonly string[];
}

/** How the MCP server of orchd's tools is started for one session. */
export interface ToolsServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Says which session it speaks for; holds its token. */
  readonly env: Readonly<Record<string, string>>;
}

/** What an adapter may ask of the machine on which its agent is started. Nothing throws. */
export interface Machine {
  /** What stands in a file; null where there is none, or none that can be read. */
  readonly text: (path: string) => string | null;
  /** Whether root alone can write into a folder, as into every one above it, and this is root. It need not be there yet. */
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
  /** What a hook runs to ask the person, as words; the session's variables reach it. */
  readonly hook: readonly string[];
  /** A folder of this session's own, mode 0700: where `Launch.files` go, and hooks append what they say. */
  readonly dir: string;
  /** Whether the installed version's `--help` names a flag: an older one must start as well. */
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
  /** Whether `teach` could be passed on without typing; true where there was nothing to teach. */
  readonly isTaught: boolean;
  /** The tools are offered. */
  readonly hasTools?: true;
}

// ── transcript ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface TranscriptTraits {
  /** Variables that say where its files are; they are kept beside the session, so that the files are found after a restart. */
  readonly env: readonly string[];
  /** Where the files of this session are; [] where the command line starts no conversation. */
  readonly sources: (about: TranscriptAbout) => readonly TranscriptSource[];
  /** The folder below which it keeps conversations: a `session` item may name files there and nowhere else; null: it names none. */
  readonly home: (about: Pick<TranscriptAbout, 'env'>) => string | null;
  /**
   * What one line of such a file says. Never throws; needs no other line, so that reading may begin anywhere.
   *
   * @param isFeed  It stands in the feed, to which our hooks and plugins append, and whatever else knows its path: only what they say
   *                counts there, and nowhere else.
   */
  readonly read: (line: string, isFeed: boolean) => Reading;
}

/** What a line says, and when the agent wrote it (milliseconds since the epoch), where it says so: what is older than the session is no news. */
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
   * The file in `dir`, `depth` folders below, whose name fits and that was written to since the session began; `isOurs` asks its first
   * line. Where the system tells which files a process holds open, that decides, also when the program goes on in another file.
   */
  /**
   * Files in which the program may go on without a word, as after `/clear`: in `dir`, `depth` folders below. They are looked at only
   * while the transcript is lost. The one that holds the prompt that orchd typed last is followed.
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

/** What a transcript or a hook says, in the order in which the agent wrote it. */
export type TranscriptItem =
  /** Words of the agent, exact markdown; a document of its own. */
  | { readonly kind: 'text'; readonly text: string }
  /** The person runs a command of their own in the agent's program: what it prints is not the agent's words. */
  | { readonly kind: 'local' }
  /** A person's input that the agent has taken. */
  | { readonly kind: 'prompt'; readonly text: string }
  /**
   * The agent has ended its turn. `by`: a hook says so, which knows nothing of how far the transcript has come; `after`: the last input of
   * the conversation that has rested, where the hook speaks of others as well: it counts if orchd has typed that one last.
   */
  | { readonly kind: 'idle'; readonly by?: 'hook'; readonly after?: string }
  /** The agent itself asks for the person (a hook). `id`: by which it says that it is decided; of several the first waits for the person. */
  | { readonly kind: 'attention'; readonly text: string; readonly id?: string }
  /** What it asked for is decided, here or there; without `id` whatever that was. */
  | { readonly kind: 'decided'; readonly id?: string }
  /** The conversation's id, and another file in which it goes on; `isOld`: what stands in that file by now was said before. */
  | {
      readonly kind: 'session';
      readonly agentSessionId: string;
      readonly path: string | null;
      readonly isOld: boolean;
    };

// ── hooks ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Hooks that wait for the person: `orchd hook` is given what the agent asks, and prints what is decided. */
export interface HookTraits {
  /** @returns  Null where it asks nothing, or nothing that its hook could decide. Never throws. */
  readonly ask: (payload: Readonly<Record<string, unknown>>) => HookQuestion | null;
}

export interface HookQuestion {
  /** All of it: the person may see nothing else. */
  readonly text: string;
  /** What the agent's own dialog shows of it: with a dialog that does not, it has nothing to do. Null: nothing tells. */
  readonly shows: string | null;
  readonly choices: readonly HookChoice[];
}

export interface HookChoice {
  /** As the agent's dialog calls it. With a blank at its end it takes words. */
  readonly label: string;
  /** What the hook prints. @param words  What stands behind the label. */
  readonly output: (words: string) => Readonly<Record<string, unknown>>;
}

// ── batch ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One turn of a conversation without a terminal: the prompt goes in, words come out, the program ends. */
export interface BatchTraits {
  /** The command line of one turn. */
  readonly command: (request: BatchRequest) => BatchCommand;
  /** What one line of standard output says, as it comes; as a transcript's line does. Never throws. */
  readonly read: (line: string) => Reading;
  /** What all of it comes to, when it has ended. Never throws. */
  readonly outcome: (output: BatchOutput) => BatchOutcome;
  /** Whether the tokens and the cost that it tells are those of the conversation so far, of turns before as well. Default: of this turn. */
  readonly countsConversation?: boolean;
}

export interface BatchRequest {
  /** The program, and what the person gave with it. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** What is added to its system prompt; null for nothing. */
  readonly system: string | null;
  readonly model: string | null;
  /** Of the agent's own turns; null for its default. */
  readonly maxTurns: number | null;
  /** The conversation that goes on; null for a new one. */
  readonly resume: string | null;
  /** A fresh UUID, for programs that take one. */
  readonly uuid: string;
  /** Tools to offer, and to allow: nobody is there to be asked; not there for none. */
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
  /** Whether `system` went through a flag or a file of its own; false: it stands before the prompt. */
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
  /** What went wrong, in the program's own words; null for nothing. */
  readonly error: string | null;
  /** Its account may not go on until then (milliseconds since the epoch; null: it does not say); null: there is no such limit. */
  readonly limit: { readonly resetsAt: number | null } | null;
  /** The conversation that should go on is not there any more. */
  readonly isForgotten: boolean;
}

/** What the turn has cost, as far as the program says it. */
export interface BatchUsage {
  /** Those from its cache as well. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cost_usd: number | null;
  /** Of the agent's own, in this turn. */
  readonly turns: number | null;
}

// ── general rules ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** For programs that nobody knows. */
export const RESUMES = /^(?:--?(?:resume|continue|session|fork)(?:=.*)?|-[crs]|resume|fork)$/;

export const GENERIC_SCREEN: ScreenTraits = {
  title: null,
  fences: 'swallowed',
  isBoxed: false,
  voices: null,
  resumes: RESUMES,
};

/** The table of full-screen programs without an adapter: what any of the known agents acts on, and what others are likely to. */
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
