/** Limits of the ears: how much of a program's output they keep, and why. Characters are UTF-16 units. */

/** Size of a message block: a hundred times the largest one seen. Anything larger is a file in the wrong place. */
export const MAX_BLOCK_CHARS = 256 * 1024;
/** Size of an envelope. Its human part may be a whole report. */
export const MAX_ENVELOPE_CHARS = 1024 * 1024;
/**
 * Size of a fence of another language, or of an HTML block. A longer one was opened by accident (`head README`) and is
 * forgotten.
 */
export const MAX_FOREIGN_LINES = 200;
export const MAX_FOREIGN_CHARS = 32 * 1024;
/**
 * How much of a block that is too long is skipped while its closing fence may still come. After that the block is
 * forgotten.
 */
export const MAX_SKIPPED_CHARS = 4 * 1024 * 1024;
/**
 * How deep quotes and list items may be nested; deeper ones are text. A line of 60,000 `>` must not cost 60,000
 * containers.
 */
export const MAX_CONTAINERS = 100;
/**
 * How deep objects and arrays may be nested, so that recursive functions (validators, `JSON.stringify`) cannot overflow
 * the stack.
 */
export const MAX_JSON_DEPTH = 100;
/** How much of its text a rejected message shows. */
export const MAX_RAW_CHARS = 8192;
/** Echo keys of one turn: at 32 characters each, about a quarter of a mebibyte. The oldest are dropped first. */
export const MAX_ECHO_KEYS = 8192;
/** Text that was typed and not submitted yet. Echo keys are made of it at Enter. */
export const MAX_TYPED_CHARS = 256 * 1024;
/** Messages with an `id` that a session remembers. The oldest are dropped first. */
export const MAX_IDS = 4096;
/**
 * Rows that a screen ear keeps of what was painted: some hundred screens. If a person scrolls back further, the rows
 * count as a new picture.
 */
export const MAX_TRANSCRIPT_ROWS = 10_000;
/**
 * Positions of messages that a screen ear remembers, so that it does not report a message again when it is painted
 * again.
 */
export const MAX_HEARD = 4096;
/** Messages of one turn for which the ledger remembers which ear has heard them. */
export const MAX_TOLD = 1024;
/**
 * How long a message found on the screen waits for its exact text. Agents write a record after its last word, most
 * within 300 ms.
 */
export const TRANSCRIPT_WAIT_MS = 1500;
/**
 * If the transcript lacks for this long what the screen shows, it is no longer written, or belongs to another
 * conversation.
 */
export const TRANSCRIPT_LOST_MS = 10_000;
/** Messages that wait at the same time. If there are more, the oldest is reported. One screen shows fewer. */
export const MAX_HELD = 16;
/** Messages of each ear that the other ear has not confirmed: a transcript may be this many messages late. */
export const MAX_UNCONFIRMED = 64;
/** Letters that are compared to recognize a damaged text. Of a longer text only the beginning is compared. */
export const MAX_COMPARED_CHARS = 4096;
/** Submitted inputs that no prompt in the transcript has confirmed yet. */
export const MAX_SUBMITTED = 64;
/** Length of an attention's text, which is shown in one or two lines. */
export const MAX_ATTENTION_CHARS = 2000;
/**
 * Remembered messages of tools that were not printed (yet), and printed ones that no tool has sent. An agent that does
 * both does so at once.
 */
export const MAX_TOOL_DEDUP = 16;
