/** Ids for what a session's findings open, derived from their identity. A journal read again gives the same ids. */
import { createHash } from 'node:crypto';
import type { Finding } from '../../ears/index.js';
import { makeId } from '../../protocol/index.js';

export function idsOf(sessionId: string, finding: Finding): { messageId: string; itemId: string } {
  const bytes = createHash('sha256')
    .update(`${sessionId}/${seedOf(finding)}`)
    .digest();
  return { messageId: makeId('message', bytes), itemId: makeId('item', bytes.subarray(10)) };
}

/** Returns the identity of a finding. */
function seedOf(finding: Finding): string {
  switch (finding.kind) {
    case 'message':
      return `${finding.turn}/${finding.ordinal}/${finding.origin.from}`;
    case 'corrected':
      return `${finding.turn}/${finding.ordinal}/${finding.toldFrom}`;
    case 'called': {
      const { message } = finding;
      return typeof message === 'string' ? '' : `${message.turn}/${message.ordinal}/${message.toldFrom}`;
    }
    case 'attention':
      return `attention/${finding.origin.from}`;
    case 'usage':
      return `usage/${finding.at}`;
    default:
      return '';
  }
}
