/** Decides which answers still have to be delivered. */
import type { Answer } from '../../protocol/index.js';
import type { StallReason } from '../sessions/aggregate.js';

/** Reasons that may disappear. The answer is then typed, or given to a tool call. */
const TEMPORARY: ReadonlySet<string> = new Set<StallReason>([
  'not_reading',
  'one_line',
  'not_ready',
  'agent_busy',
  'composer_busy',
  'part_left',
  'answer_unread',
  'queued',
  'session_lost',
  'nobody_waits',
  'disk_full',
  'delayed',
]);

/** True if the answer still has to be typed, or given to a tool call. */
export function isDeliveryPending(answer: Answer | null): boolean {
  return (
    answer?.delivery === 'accepted' || (answer?.delivery === 'stalled' && TEMPORARY.has(answer.stalled_reason ?? ''))
  );
}
