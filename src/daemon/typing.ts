/**
 * What people type into a session, in order. The journal gets no more of it than times and lengths, because it may be a password;
 * but blocks and markers in it must not count when the terminal echoes them, so their keys are noted before they are typed.
 */
import { echoKeys } from '../ears/index.js';
import type { HostClient } from '../host/index.js';

export interface Typing {
  type(bytes: Buffer): Promise<void>;
}

/** What is remembered of a line that is not submitted yet. */
const MAX_REMEMBERED_CHARS = 1024 * 1024;

export function createTyping(sessionId: string, host: () => HostClient): Typing {
  let line = '';
  let before: Promise<unknown> = Promise.resolve();

  async function send(text: string): Promise<void> {
    line = (line + text).slice(-MAX_REMEMBERED_CHARS);
    if (/[\r\n]/.test(text)) {
      const keys = mayHoldMessage(line) ? echoKeys(line) : [];
      // A paste comes in parts, each with line ends: what was seen of the block stays until it is whole.
      if (!/orchestrator|<output>/i.test(line) || keys.length > 0) line = '';
      if (keys.length > 0) await host().call('note', { sessionId, name: 'echo', data: { keys } });
    }
    await host().call('keys', { sessionId, text });
  }

  const decoder = new TextDecoder();
  return {
    type(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      const sent = before.then(() => send(text));
      before = sent.catch(() => {});
      return sent;
    },
  };
}

const mayHoldMessage = (text: string): boolean => /orchestrator|<output>/i.test(text);
