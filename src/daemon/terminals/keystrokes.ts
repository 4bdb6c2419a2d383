/**
 * Passes on what people type into a session, in order. Waits while the program does not read and the host's queue is
 * full.
 *
 * The journal records only times and lengths of typed text, because it may be a password. But blocks and markers in it
 * must not count when the terminal echoes them, so their keys are recorded before they are typed.
 */
import { echoKeys } from '../../ears/index.js';
import type { HostClient } from '../../host/index.js';
import { OrchdError } from '../../protocol/index.js';
import { KeyedQueue } from '../concurrency/index.js';

export interface Keystrokes {
  /** Resolves when the host has accepted it; rejects when the session has ended. */
  type(bytes: Buffer): Promise<void>;
}

/** Interval for trying again if the queue is full. */
const RETRY_MS = 50;
/** Maximum length of one request; the host refuses one that is longer than its queue. */
const MAX_KEYS_CHARS = 64 * 1024;

/** Maximum remembered length of a line that is not submitted yet. */
const MAX_REMEMBERED_CHARS = 1024 * 1024;

/** @param onKeys  Called with all typed text before the host gets it. */
export function createKeystrokes(
  sessionId: string,
  host: () => HostClient,
  onKeys: (text: string) => void,
): Keystrokes {
  let line = '';
  /** A key waits only for the keys before it. */
  const queue = new KeyedQueue();

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
      // A paste arrives in parts that end with line ends. The beginning of a block is kept until the block is complete.
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
      return queue.run(sessionId, () => send(text));
    },
  };
}

const mayHoldMessage = (text: string): boolean => /orchestrator|<output>/i.test(text);
