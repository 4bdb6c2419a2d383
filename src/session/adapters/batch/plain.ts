/**
 * An unknown program: it reads its prompt from standard input, and its whole output is its answer. It has no
 * conversation to resume.
 */
import type { BatchTraits } from '../adapter.js';
import { NOTHING } from '../record.js';

const ERROR_LINES = 20;

export const PLAIN_BATCH: BatchTraits = {
  command: ({ argv, prompt, system }) => ({
    argv,
    stdin: system === null ? prompt : `${system}\n\n${prompt}`,
    env: {},
    files: {},
    agentSessionId: null,
    isTaught: false,
  }),
  read: () => NOTHING,
  outcome({ stdout, stderr, exitCode }) {
    const text = stdout.replaceAll('\r\n', '\n').replace(/\n$/, '');
    const lines = stderr.trimEnd().split('\n').slice(-ERROR_LINES).join('\n');
    return {
      text: text === '' ? null : text,
      error: exitCode === 0 ? null : lines || `it ended with exit code ${exitCode}`,
      agentSessionId: null,
      usage: null,
      limit: null,
      isForgotten: false,
    };
  },
};
