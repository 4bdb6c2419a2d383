/**
 * Operations that type into a session: `session.send` a line or a text, `session.keys` single keys. The agent of a
 * session types nothing that would answer an item which only a person may answer.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { HostClient, WriteStep } from '../../host/index.js';
import { type StallReason, typeable } from '../../lifecycle/index.js';
import { makeId, OrchdError, SEND_WAIT_MS, type WriteId } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import { keyBytes } from '../../terminal/index.js';
import { type Caller, mayType, type ParentAnswersPorts, typingRefusal } from '../access/index.js';
import { type Answers, sentWords, type Typist } from '../answers/index.js';
import { withDeadline } from '../concurrency/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Handlers } from './handler.js';

export interface SessionTypingPorts extends ParentAnswersPorts {
  readonly answers: Answers;
  readonly typist: Typist;
  readonly host: () => HostClient;
  /** Returns a session's screen with all output read so far. */
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
}

export const sessionTypingHandlers = (ports: SessionTypingPorts) => {
  const { registry, host, screenOf } = ports;
  return {
    'session.send': async ({ session, text, enter = true, wait_ms = SEND_WAIT_MS }, caller) => {
      const entry = typedTo(registry, session);
      mayType(ports, caller.session, entry);
      const clean = typeable(text);
      await ports.answers.checkLines(entry, clean);
      const type = async () => {
        const writeId = writeIdOf(caller);
        if (!enter) return press(host, entry, writeId, [{ text: clean }], true);
        const line = sentWords(ports, entry, clean);
        if (wait_ms === 0) return press(host, entry, writeId, await ports.typist.steps(entry, line), true);
        // An item may open while the text waits.
        const refusal = () => typingRefusal(ports, caller.session, entry);
        return typeLine(ports.typist, entry, { writeId, text: line, waitMs: wait_ms, signal: caller.signal, refusal });
      };
      return { ...(await type()), removed: text.replaceAll('\r\n', '\n').length - clean.length };
    },
    'session.keys': async ({ session, keys }, caller) => {
      const entry = typedTo(registry, session);
      mayType(ports, caller.session, entry);
      const { hasApplicationCursor } = entry.keeper ?? (await screenOf(entry)).screen;
      const text = keys.map((key) => keyBytes(key, hasApplicationCursor)).join('');
      return press(host, entry, writeIdOf(caller), [{ text }]);
    },
  } satisfies Partial<Handlers>;
};

/** @throws {OrchdError} ORCHD_SESSION_ENDED, ORCHD_NO_TERMINAL */
function typedTo(registry: Registry, selector: string): SessionEntry {
  const entry = registry.session(selector);
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  entry.needTerminal();
  return entry;
}

/** Returns the same id for a repetition of a request. The host types a write only once. */
const writeIdOf = ({ requestKey }: Caller): WriteId =>
  makeId('write', requestKey === null ? randomBytes(10) : createHash('sha256').update(requestKey).digest());

/** Types immediately, even if the input line already contains text. Text that is left without Enter becomes a draft. */
async function press(
  host: () => HostClient,
  entry: SessionEntry,
  writeId: WriteId,
  steps: readonly WriteStep[],
  isSent = false,
) {
  const text = steps.map((step) => ('text' in step ? step.text : '')).join('');
  const takeBack = entry.pressed(text, isSent);
  try {
    await host().call('write', { sessionId: entry.id, writeId, steps });
  } catch (error) {
    takeBack();
    throw error;
  }
  return { write_id: writeId, bytes: Buffer.byteLength(text) };
}

interface Line {
  readonly writeId: WriteId;
  readonly text: string;
  readonly waitMs: number;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** Returns the reason why the caller may not type now; null if it may. */
  readonly refusal: () => OrchdError | null;
}

/**
 * Types a text and Enter. For an agent, it waits until the composer is drawn, empty and uncovered. It also waits for
 * the end of a person's draft.
 *
 * @throws {OrchdError} ORCHD_NOT_READY if that does not happen in time, ORCHD_FORBIDDEN if an item has opened that only
 *   a person may answer. Nothing is typed then.
 */
async function typeLine(typist: Typist, entry: SessionEntry, { writeId, text, waitMs, signal: ended, refusal }: Line) {
  const signal = withDeadline(ended, waitMs);
  let reason: StallReason | null = null;
  let unsent: string | undefined;
  const onWait = (held: StallReason, seen?: string): void => {
    reason = held;
    if (held === 'not_submitted') unsent = seen ?? text;
  };
  let refused = null as OrchdError | null; // assigned by the function below
  const mayType = (): boolean => {
    refused = refusal();
    return refused === null;
  };
  const isTyped = await typist.type(entry, { writeId, text, onWait, mayType, signal });
  if (isTyped) return { write_id: writeId, bytes: Buffer.byteLength(text), ...(unsent !== undefined && { unsent }) };
  if (entry.hasEnded) throw new OrchdError('ORCHD_SESSION_ENDED', `session '${entry.view.name}' has ended`);
  if (refused !== null) throw refused;
  const why = (WAIT_WORDS[reason ?? 'not_ready'] ?? '').replaceAll('NAME', entry.view.name);
  throw new OrchdError('ORCHD_NOT_READY', `nothing was typed: '${entry.view.name}' ${why}`, { reason });
}

/** The reason why nothing was typed, in words. */
const WAIT_WORDS: Readonly<Partial<Record<StallReason, string>>> = {
  not_ready: 'has not drawn its composer yet',
  agent_busy: 'still works on its turn',
  queued: 'gets another text first',
  part_left:
    'shows a part of the last text in its input line: delete it (`orchd keys NAME C-u`), press Enter if the program ' +
    'only shows it, or send with --now',
  composer_busy:
    'has something else in its input line, or a dialog over it: submit it or delete it (`orchd keys NAME Enter`, ' +
    '`orchd keys NAME C-u`), or send with --now',
};
