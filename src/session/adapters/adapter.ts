/** What differs between agent programs, as far as their screens go. Everything that is not said here follows the general rules. */
export interface ScreenAdapter {
  readonly name: string;
  /** Names of the program's file. */
  readonly programs: readonly string[];
  /** A window title that only this program sets: an agent that a shell has started is known by it. */
  readonly title: RegExp | null;
  /** Whether it shows the fences around code. Default: it swallows them, and a visible fence is a quotation. */
  readonly fences: 'swallowed' | 'printed';
  /** Whether the agent's own words stand in boxes; a tool's output does. */
  readonly isBoxed: boolean;
  /** Arguments that bring back an old conversation. */
  readonly resumes: RegExp;
}

/** For programs that nobody knows. */
export const RESUMES = /^(?:--?(?:resume|continue|session|fork)(?:=.*)?|-[crs]|resume|fork)$/;

export const GENERIC: ScreenAdapter = {
  name: 'generic',
  programs: [],
  title: null,
  fences: 'swallowed',
  isBoxed: false,
  resumes: RESUMES,
};
