/**
 * ERROR: the agent reports a problem that does not stop it. Opens no inbox item and does not change the state of the
 * session.
 */
import { displayLine } from '../text/index.js';
import type { MessageKind } from './message-kind.js';
import { recoverableWords, withNotes } from './notes.js';

export const ERROR: MessageKind = {
  shape: 'ErrorReportMessage',
  state: () => null,
  said: (_session, { message, severity, file, recoverable }) => ({
    last_error: {
      message: String(message),
      severity: typeof severity === 'string' ? severity : 'error',
      ...(typeof file === 'string' && { file }),
      ...(typeof recoverable === 'boolean' && { recoverable }),
    },
  }),
  words: {
    subject: 'message',
    fields: [
      { name: 'severity', title: 'Severity' },
      { name: 'file', title: 'File' },
      { name: 'recoverable', title: 'Recoverable' },
    ],
    line(data, subject) {
      const severity = displayLine(String(data['severity'] ?? 'error'));
      const file = typeof data['file'] === 'string' ? displayLine(data['file']) : '';
      const style = severity === 'error' || severity === 'critical' ? 'red' : 'yellow';
      return { label: severity, text: withNotes(subject, [file, recoverableWords(data['recoverable'])]), style };
    },
  },
  prompt:
    'for what went wrong without stopping you: message*, severity (info, warning, error or critical), file, ' +
    'recoverable (true or false).',
  tool: { name: 'report_error', place: 4, summary: 'Say what went wrong without stopping you.', waits: null },
};
