/**
 * What people type into a session, in order; while the program does not read and the host's queue is full, it waits.
 *
 * The journal gets no more of it than times and lengths, because it may be a password; but blocks and markers in it must not count
 * when the terminal echoes them, so their keys are noted before they are typed.
 */
import { echoKeys } from '../ears/index.js';
import type { HostClient } from '../host/index.js';
import { OrchdError } from '../protocol/index.js';

export interface Typing {
  /** Resolves when the host has taken it; fails when the session has ended. */
  type(bytes: Buffer): Promise<void>;
}

/** How often a full queue is tried again. */
const RETRY_MS = 50;
/** Of one message; the host refuses what is longer than its queue at once. */
const MAX_KEYS_CHARS = 64 * 1024;

/** What is remembered of a line that is not submitted yet. */
const MAX_REMEMBERED_CHARS = 1024 * 1024;

/** @param onKeys  Told of all that is typed, before the host has it. */
export function createTyping(sessionId: string, host: () => HostClient, onKeys: (text: string) => void): Typing {
  let line = '';
  let before: Promise<unknown> = Promise.resolve();
  /** How much was typed and is not with the host yet. */
  let waiting = 0;

  async function press(text: string): Promise<void> {
    for (let at = 0; at < text.length; ) {
      try {
        const part = text.slice(at, at + MAX_KEYS_CHARS);
        await host().call('keys', { sessionId, text: part });
        at += part.length;
      } catch (error) {
        if (!(error instanceof OrchdError) || error.code !== 'ORCHD_INPUT_FULL') throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async function send(text: string): Promise<void> {
    line = (line + text).slice(-MAX_REMEMBERED_CHARS);
    if (/[\r\n]/.test(text)) {
      const keys = mayHoldMessage(line) ? echoKeys(line) : [];
      // A paste comes in parts, each with line ends: what was seen of the block stays until it is whole.
      if (!/orchestrator|<output>/i.test(line) || keys.length > 0) line = '';
      if (keys.length > 0) await host().call('note', { sessionId, name: 'echo', data: { keys } });
    }
    await press(text);
  }

  const decoder = new TextDecoder();
  return {
    type(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      onKeys(text);
      const sent = waiting > 0 ? before.then(() => send(text)) : send(text); // a key waits for nothing but earlier ones
      waiting++;
      before = sent
        .catch(() => {}) // whoever typed is told
        .then(() => waiting--);
      return sent;
    },
  };
}

const mayHoldMessage = (text: string): boolean => /orchestrator|<output>/i.test(text);
