/** Which answers are still to be delivered. */
import type { Answer } from '../protocol/index.js';
import type { StallReason } from './book.js';

/** They may pass: then the answer is typed, or given to a tool call, after all. */
const PASSING: ReadonlySet<string> = new Set<StallReason>([
  'not_reading',
  'not_ready',
  'agent_busy',
  'composer_busy',
  'session_lost',
  'nobody_waits',
  'disk_full',
  'delayed',
]);

/** Whether the answer is still to be typed, or given. */
export function isUnderWay(answer: Answer | null): boolean {
  return (
    answer?.delivery === 'accepted' || (answer?.delivery === 'stalled' && PASSING.has(answer.stalled_reason ?? ''))
  );
}
