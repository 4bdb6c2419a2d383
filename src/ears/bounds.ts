/** The bounds of hearing: what is kept of what a program prints, and why so much and not more. Characters are UTF-16 units. */

/** A fenced block: a hundred times the largest seen; more is a file in the wrong place. */
export const MAX_BLOCK_CHARS = 256 * 1024;
/** An envelope: its human part may be a whole report. */
export const MAX_ENVELOPE_CHARS = 1024 * 1024;
/** A fence of another language, or an HTML block, that is longer was opened by accident (`head README`): it is forgotten. */
export const MAX_FOREIGN_LINES = 200;
export const MAX_FOREIGN_CHARS = 32 * 1024;
/** What is skipped of a block that is too long, while its closing fence may still come; then it is forgotten like a stray opener. */
export const MAX_SKIPPED_CHARS = 4 * 1024 * 1024;
/** Quotes and list items within one another; deeper ones are text. A line of 60,000 `>` must not cost 60,000 containers. */
export const MAX_CONTAINERS = 100;
/** Objects and arrays within one another; what is recursive behind us (validators, `JSON.stringify`) stays far from its stack's end. */
export const MAX_JSON_DEPTH = 100;
/** What a rejected message shows of itself. */
export const MAX_RAW_CHARS = 8192;
/** Echo keys of one turn; at 32 characters each about a quarter of a mebibyte. The oldest go first. */
export const MAX_ECHO_KEYS = 8192;
/** Text typed and not yet submitted; echo keys are made of it when Enter comes. */
export const MAX_TYPED_CHARS = 256 * 1024;
/** Messages with an `id` that a session remembers; the oldest go first. */
export const MAX_IDS = 4096;
/** Rows that a screen ear keeps of what was painted: some hundred screens; who scrolls back further sees what is taken for another picture. */
export const MAX_TRANSCRIPT_ROWS = 10_000;
/** Places of messages that a screen ear remembers, so as not to hear them again when they are painted again. */
export const MAX_HEARD = 4096;
/** Messages of one turn of which is kept which ear has heard them. */
export const MAX_TOLD = 1024;
/** How long a screen's candidate waits for the exact text: agents write a record when its last word is said, most within 300 ms. */
export const TRANSCRIPT_WAIT_MS = 1500;
/** A transcript that lacks for so long what the screen shows is not written any more, or is not this conversation's. */
export const TRANSCRIPT_LOST_MS = 10_000;
/** Candidates that wait at once; the oldest is told then. One screen shows fewer. */
export const MAX_HELD = 16;
/** Of each ear, what the other has not confirmed: a transcript may be as many messages behind. */
export const MAX_UNCONFIRMED = 64;
/** Letters by which a damaged text is known again; what is longer is compared by its beginning. */
export const MAX_COMPARED_CHARS = 4096;
/** Submitted inputs that no prompt of the transcript has confirmed. */
export const MAX_SUBMITTED = 64;
/** What an attention says: it is shown in one line or two. */
export const MAX_ATTENTION_CHARS = 2000;
/** Messages of tools that were not printed (yet), and printed ones that no tool has said: an agent that does both does so at once. */
export const MAX_TOOL_DEDUP = 16;
