/** Maximum length of a prompt in events and lists. The run has the complete prompt. */
const BRIEF_CHARS = 200;

/** Returns the beginning of a prompt, at most BRIEF_CHARS characters long. `…` marks a cut. */
export const briefly = (text: string): string =>
  text.length <= BRIEF_CHARS ? text : `${text.slice(0, BRIEF_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
