/**
 * Adapter: describes one agent program by data and pure functions, without I/O. To add an agent, add one file beside
 * this one, a line in `index.ts` and a folder in fixtures/adapters.
 *
 *     screen       how to read the screen that it paints                           (the screen ear)
 *     signals      what its screen and title report: ready, busy, composer, dialogs
 *     input        texts that it acts on instead of passing them to its model      (answers avoid them)
 *     start        additions to its command line and environment, per session      (user configuration is not changed)
 *     transcript   the file in which it records its words, and how to read it      (the transcript ear)
 *     hooks        questions of its hooks that can decide                          (`orchd hook`)
 *
 * The general rules apply to everything that an adapter leaves out.
 *
 * The file is long because it documents every part of an adapter in one place.
 */

import type { Voices } from '../../ears/index.js';
import type { InputRules } from '../../protocol/index.js';
import { wordsIn } from './launch/command-line.js';

export interface Adapter {
  readonly name: string;
  /** The name that people see. */
  readonly label: string;
  /** Names of the program's file. */
  readonly programs: readonly string[];
  readonly screen: ScreenTraits;
  readonly signals: Signals | null;
  readonly input: InputRules;
  readonly start: StartTraits | null;
  readonly transcript: TranscriptTraits | null;
  /** The questions of its hooks; null if no hook can decide anything. */
  readonly hooks: HookTraits | null;
  /** How the program runs a prompt without a terminal; null if it cannot. */
  readonly batch: BatchTraits | null;
}

// ── screen ────────────────────────────────────────────────

interface ScreenTraits {
  /** Matches a window title that only this program sets. It identifies an agent that was started from a shell. */
  readonly title: RegExp | null;
  /** `printed` if it shows the fences around code. Default: `swallowed`, so a visible fence is a quotation. */
  readonly fences: 'swallowed' | 'printed';
  /**
   * True if it draws markdown within its messages, too: it may have left out backquotes and asterisks. What orchd reads
   * from such a screen is never exact.
   */
  readonly dropsMarks: boolean;
  /** True if the agent's own words are in boxes. Otherwise a box contains the output of a tool. */
  readonly isBoxed: boolean;
  /**
   * How the program marks the agent's words and the words of others. Null if it marks them only with branch glyphs and
   * boxes, or not at all.
   */
  readonly voices: Voices | null;
  /** Arguments that resume an old conversation. */
  readonly resumes: RegExp;
}

// ── signals ────────────────────────────────────────────────

/** The screen at one look, as the adapter's functions receive it. */
export interface ScreenView {
  readonly rows: readonly ViewRow[];
  readonly title: string;
  /** Position of the terminal's cursor, from 0; null while the cursor is hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

export interface ViewRow {
  readonly text: string;
  /** The text without its dim parts: a composer's placeholder is dim. */
  readonly bright: string;
  /**
   * Returns a number for the background colour of a column. Equal colours have equal numbers; 0 is the terminal's
   * default.
   */
  readonly ground: (column: number) => number;
}

export interface Signals {
  /**
   * Matches a row that is visible once the program accepts input: the composer is drawn. Text typed earlier would be
   * lost.
   */
  readonly ready: RegExp;
  /** Milliseconds after `ready` first matched until input is safe. */
  readonly readyQuietMs: number;
  /**
   * Maximum time in milliseconds to wait for `ready`. A program that has not matched it by then is probably another
   * version. Text is then typed as into an unknown program.
   */
  readonly readyLimitMs: number;
  /** Matches the program's title, or a row of its screen, while the program works on a turn. */
  readonly busy: {
    readonly title: RegExp | null;
    readonly row: RegExp | null;
    /**
     * True if the row contains a spinner. A spinner that has not changed for STALE_SPINNER_MS is a remainder of a
     * finished turn.
     */
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
  /** Keys that choose this option; null if only a person who is attached can choose it. */
  readonly keys: string | null;
}

// ── start ────────────────────────────────────────────────

export interface StartTraits {
  /** The command-line option that selects the model. */
  readonly model: string;
  /** The version with which this adapter was tested. */
  readonly triedVersion: string;
  /** Flags that may be added, each only if the installed version's `--help` names it. */
  readonly flags: readonly string[];
  /**
   * Returns the command to start for `argv`, so that orchd can read the agent's messages and instruct it, and so that
   * it leaves no files behind.
   */
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
  /** Identifies the session that the server acts for; contains its token. */
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
  /** The command as the person gave it; the program first. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A new UUID, for programs that let the caller choose the conversation's id. */
  readonly uuid: string;
  /** Instructions to pass on; null for none. */
  readonly teach: string | null;
  /** Tools to offer; undefined for none. */
  readonly tools?: ToolsServer;
  /** The command that a hook runs to ask the person, as words. It gets the session's variables. */
  readonly hook: readonly string[];
  /** The session's own folder, mode 0700: it contains `Launch.files`, and the file to which hooks append. */
  readonly dir: string;
  /** True if `--help` of the installed version names a flag. Older versions must start as well. */
  readonly hasFlag: (flag: string) => boolean;
  readonly machine: Machine;
}

export interface Launch {
  readonly argv: readonly string[];
  /** Variables that are added. */
  readonly env: Readonly<Record<string, string>>;
  /** Files that are written before the start, by name in `dir`. */
  readonly files: Readonly<Record<string, string>>;
  /** The conversation's id, if it is known before the start. */
  readonly agentSessionId: string | null;
  /** True if `teach` could be passed on without typing, or if there was nothing to teach. */
  readonly isTaught: boolean;
  /** Set if the tools are offered. */
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
   * Parses one line of a transcript file. Never throws. Needs no other line, so that reading may begin anywhere.
   * @param isFeed True for a line of the feed. orchd's hooks and plugins append to the feed, and so can any other
   *   program that knows its path. Only in the feed are the record kinds of hooks and plugins accepted, and no other
   *   kinds are.
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
  /** The command as the person gave it; the program first. */
  readonly argv: readonly string[];
  /** At least the variables of `TranscriptTraits.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly dir: string;
  readonly agentSessionId: string | null;
}

export type TranscriptSource =
  /** A single file, which may not exist yet. */
  | { readonly kind: 'file'; readonly path: string }
  /**
   * Files in which the program may continue without a notice, as after `/clear`: in `dir`, `depth` folders below. orchd
   * reads them only while the transcript is lost, and follows the one that contains the prompt that orchd typed last.
   */
  | { readonly kind: 'next'; readonly dir: string; readonly depth: number; readonly name: RegExp }
  /**
   * The file with a matching name in `dir`, `depth` folders below, that was written to since the session began.
   * `isOurs` checks its first line. On systems that show which files a process holds open, the open file is chosen,
   * also when the program continues in another file.
   */
  | {
      readonly kind: 'newest';
      readonly dir: string;
      readonly depth: number;
      /** True if folders are named by date: only the last two of each level are searched. */
      readonly isByDate: boolean;
      readonly name: RegExp;
      /**
       * @param isOpen  True if a process of this session holds the file open; null if the system does not show that.
       */
      readonly isOurs: (firstLine: string, isOpen: boolean | null) => boolean;
    };

/** A record of a transcript or a hook, in the order in which the agent wrote them. */
export type TranscriptItem =
  /** The agent's words as exact markdown. Each text is parsed as a separate document. */
  | { readonly kind: 'text'; readonly text: string }
  /** The person runs a command in the agent's program. Its output is not the agent's words. */
  | { readonly kind: 'local' }
  /** An input of a person that the agent has accepted. */
  | { readonly kind: 'prompt'; readonly text: string }
  /**
   * The agent has ended its turn. `by`: reported by a hook, which does not know how far the transcript is. `after`: the
   * last input of the finished turn, set by hooks that also report other conversations. The item counts if orchd typed
   * that input last.
   */
  | { readonly kind: 'idle'; readonly by?: 'hook'; readonly after?: string }
  /**
   * The agent asks for the person by a hook. The item that decides the question has the same `id`. If several questions
   * are open, the person sees the first one.
   */
  | { readonly kind: 'attention'; readonly text: string; readonly id?: string }
  /**
   * The usage of one request to the model. A later item with the same `id` replaces this one, because some agents write
   * the record of a request again.
   */
  | { readonly kind: 'usage'; readonly id?: string; readonly usage: RequestUsage }
  /** The question was decided, in orchd or in the program. Without `id`: any question. */
  | { readonly kind: 'decided'; readonly id?: string }
  /**
   * The conversation's id, and another file in which it continues. `isOld`: the current content of that file is old.
   */
  | {
      readonly kind: 'session';
      readonly agentSessionId: string;
      readonly path: string | null;
      readonly isOld: boolean;
    };

/** Numbers that the agent does not report are null. */
interface RequestUsage {
  /** The number of input tokens, including cached ones. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly cost_usd: number | null;
}

// ── hooks ────────────────────────────────────────────────

/** Hooks that wait for the person: `orchd hook` reads the agent's question, and prints the decision. */
export interface HookTraits {
  /** @returns  Null if the payload contains no question, or a question that the hook cannot answer. Never throws. */
  readonly ask: (payload: Readonly<Record<string, unknown>>) => HookQuestion | null;
}

export interface HookQuestion {
  /** The complete question: the person may see nothing else. */
  readonly text: string;
  /**
   * The part of the question that the agent's own dialog shows. A dialog without it belongs to another question. Null
   * if it is not known.
   */
  readonly shows: string | null;
  readonly choices: readonly HookChoice[];
}

export interface HookChoice {
  /** The option's text in the agent's dialog. If it ends in a blank, the person adds text. */
  readonly label: string;
  /**
   * Returns the output of the hook.
   * @param words The text after the label.
   */
  readonly output: (words: string) => Readonly<Record<string, unknown>>;
}

// ── batch ────────────────────────────────────────────────

/** One turn of a conversation without a terminal: the program reads the prompt, prints its words, and ends. */
export interface BatchTraits {
  /** Returns the command line of one turn. */
  readonly command: (request: BatchRequest) => BatchCommand;
  /** Reads one line of standard output as it arrives, like a transcript's line. Never throws. */
  readonly read: (line: string) => Reading;
  /** Returns the outcome of the turn from the whole output, after the end. Never throws. */
  readonly outcome: (output: BatchOutput) => BatchOutcome;
  /**
   * True if the reported tokens and cost are those of the whole conversation, including earlier turns. Default: of this
   * turn.
   */
  readonly countsConversation?: boolean;
}

export interface BatchRequest {
  /** The program and the arguments that the person gave. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt: string;
  /** The addition to the agent's system prompt; null if there is none. */
  readonly system: string | null;
  readonly model: string | null;
  /** Limit of the agent's own turns; null for its default. */
  readonly maxTurns: number | null;
  /** The conversation to resume; null for a new one. */
  readonly resume: string | null;
  /** A new UUID, for programs that let the caller choose the conversation's id. */
  readonly uuid: string;
  /** Tools to offer, and to allow, because no person can be asked; undefined if there are none. */
  readonly tools?: ToolsServer;
  /** The same as `LaunchRequest.dir`, `hasFlag` and `machine`. */
  readonly dir: string;
  readonly hasFlag: (flag: string) => boolean;
  readonly machine: Machine;
}

export interface BatchCommand {
  readonly argv: readonly string[];
  /** The program's whole standard input; null for none. */
  readonly stdin: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Files that are written before the start, by name in `dir`. */
  readonly files: Readonly<Record<string, string>>;
  /** The conversation's id, if it is known before the start. */
  readonly agentSessionId: string | null;
  /** True if `system` was passed by a flag or a file; false if it is a part of the prompt. */
  readonly isTaught: boolean;
  /** Set if the tools are offered by MCP. */
  readonly hasTools?: true;
}

export interface BatchOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Null if a signal ended the program. */
  readonly exitCode: number | null;
  /**
   * The time of the end, in milliseconds since the epoch: some programs say `in 3 hours` or `at 3pm` when a limit ends.
   */
  readonly now: number;
}

export interface BatchOutcome {
  /** The agent's final message, unchanged; null if there is none. */
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
  /** True if the conversation to resume does not exist any more. */
  readonly isForgotten: boolean;
}

/** The cost of the turn, as far as the program reports it. */
export interface BatchUsage extends RequestUsage {
  /** Number of the agent's own turns in this turn. */
  readonly turns: number | null;
}

// ── general rules ────────────────────────────────────────────────

/** Arguments that resume a conversation, for programs without an adapter. */
const RESUMES = /^(?:--?(?:resume|continue|session|fork)(?:=.*)?|-[crs]|resume|fork)$/;

export const GENERIC_SCREEN: ScreenTraits = {
  title: null,
  fences: 'swallowed',
  dropsMarks: false,
  isBoxed: false,
  voices: null,
  resumes: RESUMES,
};

/** A change that several agents make: a tab becomes four blanks. */
export const TAB_TO_BLANKS = [/\t/g, '    '] as const;

/**
 * The rules for full-screen programs without an adapter: all texts that a known agent acts on, and others that are
 * likely.
 */
const GENERIC_INPUT: InputRules = {
  actions: wordsIn('exit quit q bye logout help ? clear cls :q :q! :qa :qa! :x :wq :wq!'),
  commands: '/!',
  marks: '#@&$',
  endings: '@#$/:~\\',
  afterBackslash: '\u2800', // Continue breaks the line although blanks stand behind the backslash.
  // A program without bracketed paste takes a tab for a key. Many others, such as Kimi Code, change it to blanks.
  changes: [TAB_TO_BLANKS],
};

/**
 * The rules that adapters begin with. Each character counts for all agents, because a new version may begin to act on
 * it.
 */
export const AGENT_INPUT: InputRules = {
  ...GENERIC_INPUT,
  actions: [],
  endings: '@#$/:\\', // Claude Code completes `:smi` to an emoji.
  afterBackslash: ' ',
  changes: [],
};

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
