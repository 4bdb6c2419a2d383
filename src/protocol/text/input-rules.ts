/**
 * The effects of typed text in an agent: data of its adapter, by which answers are typed so that they arrive as words.
 */

/** Inputs that an agent does not pass to its model as they were typed. Try each entry with the real program. */
export interface InputRules {
  /** Whole inputs that the agent acts on, in lower case, such as `exit`. Surrounding blanks are ignored. */
  readonly actions: readonly string[];
  /** An input that begins with one of these characters is a command, even after blanks. */
  readonly commands: string;
  /** An input that begins with one of these characters is a command, a file or a memory, unless a blank precedes it. */
  readonly marks: string;
  /**
   * If the last word of an input contains one of these characters, Enter may complete that word or break the line
   * instead of sending.
   */
  readonly endings: string;
  /**
   * Text typed after a backslash at the end: a blank, or U+2800 for programs that ignore blanks when they look for a
   * backslash.
   */
  readonly afterBackslash: string;
  /** Characters in a paste that the agent replaces, with what it makes of them. orchd then types that itself. */
  readonly changes: readonly (readonly [chars: RegExp, made: string | ((chars: string) => string)])[];
}
