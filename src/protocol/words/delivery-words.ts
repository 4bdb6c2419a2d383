/** Words for the delivery of answers and the end of items. The commands, the TUI and the dashboard use them. */
import type { Answer } from '../generated/types.js';

/** The reasons why an answer is not delivered, by `stalled_reason`. */
export const STALLED_WORDS: Readonly<Record<string, string>> = {
  not_reading: 'the program does not read its input yet',
  one_line: 'the program takes one line at a time now, and the answer has several',
  not_ready: 'the agent has not drawn its input line yet',
  agent_busy: 'the agent still works on its turn',
  composer_busy: 'something else stands in the input line, or covers it: attach and submit or delete it',
  part_left:
    'a part of the answer before stands in the input line: delete it, or press Enter if the program only shows it',
  left_line: 'its text has left the input line, and the program has not shown that it took it',
  text_changed: 'the agent got another text',
  answer_unread: 'the program may not have read the answer before yet',
  queued: 'another text is typed first',
  dialog_gone: 'the dialog had gone before',
  dialog_stays: 'the dialog still stands there',
  session_lost: 'its host died; it is typed once the session is revived',
  session_ended: 'the session has ended',
  write_failed: 'the terminal could not be written to',
  not_submitted: 'Enter did not submit it, it still stands in the input line: attach and press Enter',
  nobody_waits: 'the call that asked does not wait for it',
  disk_full: 'the disk is full; it is typed once there is space',
  delayed: 'orchd could not type it in time, and tries again',
};

/** The reasons why an item ended without an answer, by the reason of `item_withdrawn`. */
export const WITHDRAWN_WORDS: Readonly<Record<string, string>> = {
  session_ended: 'withdrawn: the session has ended',
  session_lost: 'withdrawn: the session is lost',
  session_restarted: 'withdrawn: the program was started again',
  session_removed: 'removed with its session',
  task_cancelled: 'withdrawn: the task was cancelled',
  workflow_ended: 'withdrawn: the workflow is over',
  run_went_on: 'withdrawn: its run went on without it',
  gone: 'over: the program asks no more',
  unseen: 'closed while the daemon was away',
  there: 'closed on its machine',
};

/** Says where the text stands that a stalled answer has beside its reason. */
export const seenWords = (reason: string | undefined, seen: string): string =>
  `${reason === 'text_changed' ? 'its transcript has' : 'the input line shows'} “${seen}”`;

/**
 * Returns why an answer is not delivered, and what is seen in its place.
 *
 * @param clean  Makes text of a terminal safe to show.
 */
export function stalledWords(
  { stalled_reason: reason, seen }: Pick<Answer, 'stalled_reason' | 'seen'>,
  clean: (text: string) => string,
): string {
  const words = STALLED_WORDS[reason ?? ''] ?? clean(reason ?? 'it was not delivered');
  return seen === undefined ? words : `${words}; ${seenWords(reason, clean(seen))}`;
}
