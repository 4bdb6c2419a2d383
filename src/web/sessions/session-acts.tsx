/**
 * Ends sessions, starts them again and removes them. The same rules as in the TUI: what ends or
 * removes something is confirmed, and what does not fit a session is not offered.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isAlive, revivable, SESSION_ACTS, type Session, type SessionAct } from '../../protocol/index.js';
import type { Api } from '../live/api.js';
import { useLive } from '../live/live.js';
import { Confirm } from '../parts/confirm.js';
import { line } from '../text/label-text.js';

export type Act = Exclude<SessionAct, 'export'>;

interface Asked {
  readonly act: Act;
  readonly sessions: readonly Session[];
}

export interface SessionActs {
  /** Carries out an action at once, or asks first. Sessions that do not allow it are left out. */
  readonly start: (act: Act, sessions: readonly Session[]) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Why the last action was not carried out; empty if it was. */
  readonly refusal: string;
  readonly asked: Asked | null;
  readonly confirm: () => void;
  readonly cancel: () => void;
}

export const fitting = (act: Act, sessions: readonly Session[]): readonly Session[] =>
  sessions.filter(SESSION_ACTS[act].fits);

/** @param sessions  Sessions of which none allows the action. */
function refusalOf(act: Act, sessions: readonly Session[]): string {
  const [first] = sessions;
  if (!first) return '';
  const who = sessions.length === 1 ? line(first.name, 60) : `Each of the ${sessions.length} sessions`;
  return `${who} ${SESSION_ACTS[act].unfit}.`;
}

/** @param onDone  Called when the action was carried out for all sessions. */
export function useSessionActs(onDone?: (act: Act) => void): SessionActs {
  const { api } = useLive();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [refusal, setRefusal] = useState('');
  const run = useMutation({
    mutationFn: ({ act, sessions }: Asked) => doAll(api, act, sessions),
    onSuccess: (_done, { act }) => onDone?.(act),
  });
  return {
    start(act, sessions) {
      const some = fitting(act, sessions);
      setRefusal(some.length === 0 ? refusalOf(act, sessions) : '');
      if (some.length === 0) return;
      const request = { act, sessions: some };
      if (SESSION_ACTS[act].asks(some)) setAsked(request);
      else run.mutate(request);
    },
    isPending: run.isPending,
    error: run.error,
    refusal,
    asked,
    confirm: () => asked && run.mutate(asked),
    cancel: () => setAsked(null),
  };
}

/** If the action fails for one session, it is still tried for the others. */
async function doAll(api: Api, act: Act, sessions: readonly Session[]): Promise<void> {
  const results = await Promise.allSettled(sessions.map((session) => doOne(api, act, session)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function doOne(api: Api, act: Act, session: Session): Promise<unknown> {
  const { id } = session;
  if (act === 'kill') return api.call('session.kill', { session: id });
  if (act === 'remove') return api.call('session.remove', { session: id });
  // If the agent's conversation is not known, the agent begins a new one.
  const input = { session: id, ...(revivable(session) === null && { fresh: true }) };
  return isAlive(session) ? api.call('session.restart', input) : api.call('session.revive', input);
}

/** Returns the verb that describes a restart of the session. */
export function restartWord(session: Session): string {
  if (isAlive(session)) return 'Restart';
  const how = revivable(session);
  return how === 'conversation' ? 'Go on' : how === null ? 'New conversation' : 'Start again';
}

const TITLES: Readonly<Record<Act, (what: string) => string>> = {
  kill: (what) => `End ${what}?`,
  restart: (what) => `Restart ${what}?`,
  remove: (what) => `Remove ${what}?`,
};
const EFFECTS: Readonly<Record<Act, string>> = {
  kill: 'The program and all that it started are ended. The recording stays, and you can start it again.',
  restart: 'The program is ended, and started again. Agents go on with their conversation.',
  remove: 'It stays in the trash for five minutes. Then its recording and its questions are deleted.',
};
const WORDS: Readonly<Record<Act, string>> = { kill: 'End', restart: 'Restart', remove: 'Remove' };
const MAX_NAMED = 8;

export function ActDialog({ acts }: { readonly acts: SessionActs }) {
  const { asked, confirm, cancel } = acts;
  const [first] = asked?.sessions ?? [];
  if (!asked || !first) return null;
  const { act, sessions } = asked;
  const what = sessions.length === 1 ? line(first.name, 60) : `${sessions.length} sessions`;
  return (
    <Confirm isOpen title={TITLES[act](what)} act={WORDS[act]} onConfirm={confirm} onClose={cancel}>
      <p>{EFFECTS[act]}</p>
      {sessions.length > 1 && (
        <ul>
          {sessions.slice(0, MAX_NAMED).map(({ id, name }) => (
            <li key={id}>{line(name, 60)}</li>
          ))}
          {sessions.length > MAX_NAMED && <li>and {sessions.length - MAX_NAMED} more</li>}
        </ul>
      )}
    </Confirm>
  );
}
