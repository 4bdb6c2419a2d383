/** Limits of the ears: how much of a program's output they keep, and why. Characters are UTF-16 units. */

/**
 * Maximum size of a message block: a hundred times the largest one seen. A larger block is a file printed by accident.
 */
export const MAX_BLOCK_CHARS = 256 * 1024;
/** Maximum size of an envelope. Its part for people may be a whole report. */
export const MAX_ENVELOPE_CHARS = 1024 * 1024;
/**
 * Maximum size of a fence of another language, or of an HTML block. A longer one was opened by accident (for example by
 * `head README`), so the reader leaves it.
 */
export const MAX_FOREIGN_LINES = 200;
export const MAX_FOREIGN_CHARS = 32 * 1024;
/**
 * Maximum number of characters that are skipped in search of the closing fence of a block that is too long. After that
 * the reader leaves the block.
 */
export const MAX_SKIPPED_CHARS = 4 * 1024 * 1024;
/**
 * Maximum nesting of quotes and list items; deeper ones are text. A line of 60,000 `>` must not cost 60,000 containers.
 */
export const MAX_CONTAINERS = 100;
/**
 * Maximum nesting of objects and arrays, so that recursive functions (validators, `JSON.stringify`) cannot overflow the
 * stack.
 */
export const MAX_JSON_DEPTH = 100;
/** Maximum length of the text that a rejected message shows. */
export const MAX_RAW_CHARS = 8192;
/**
 * Maximum number of echo keys of one turn. At 32 characters each, they take about 256 KiB. The oldest are dropped
 * first.
 */
export const MAX_ECHO_KEYS = 8192;
/** Maximum size of text that was typed and not submitted yet. Its echo keys are computed at Enter. */
export const MAX_TYPED_CHARS = 256 * 1024;
/** Messages with an `id` that a session remembers. The oldest are dropped first. */
export const MAX_IDS = 4096;
/**
 * Maximum number of painted rows that a screen ear keeps: some hundred screens. If a person scrolls back further, the
 * rows count as a new picture.
 */
export const MAX_TRANSCRIPT_ROWS = 10_000;
/**
 * Maximum number of message positions that a screen ear remembers. They prevent a second report when a message is
 * painted again.
 */
export const MAX_HEARD = 4096;
/** Maximum number of messages of one turn for which the ledger remembers the ear that has found them. */
export const MAX_TOLD = 1024;
/**
 * Maximum time that a message found on the screen waits for its exact text. Agents write the transcript
 * record after its last word is on the screen, usually within 300 ms.
 */
export const TRANSCRIPT_WAIT_MS = 1500;
/**
 * If the transcript lacks a message for this long that the screen shows, the transcript is no longer written, or
 * belongs to another conversation.
 */
export const TRANSCRIPT_LOST_MS = 10_000;
/**
 * Maximum number of messages that wait at the same time. If there are more, the oldest is reported. One screen shows
 * fewer.
 */
export const MAX_HELD = 16;
/**
 * Maximum number of messages of each ear that wait for the other ear's confirmation: a transcript may be this far
 * behind.
 */
export const MAX_UNCONFIRMED = 64;
/** Letters that are compared to recognize a damaged text. Of a longer text only the beginning is compared. */
export const MAX_COMPARED_CHARS = 4096;
/** Maximum number of submitted inputs that no prompt in the transcript has confirmed yet. */
export const MAX_SUBMITTED = 64;
/** Maximum length of an attention's text, which is shown in one or two lines. */
export const MAX_ATTENTION_CHARS = 2000;
/**
 * Maximum number of remembered tool messages that were not printed (yet), and of printed messages that no tool has
 * sent. An agent that sends a message in both ways does so within a short time, so a few are enough.
 */
export const MAX_TOOL_DEDUP = 16;
