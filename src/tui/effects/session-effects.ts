/** Carries out what a person does with one or several sessions, and returns a sentence with the result. */
import { type Client, callerOf } from '../../client/index.js';
import type { Session, SessionAct } from '../../protocol/index.js';
import type { Effect } from '../acts/ui-state.js';
import { plainLine, wordsOf } from '../paint/text.js';

export interface SessionPorts {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Writes the recording of a session to a file.
   * @returns The path of the file.
   */
  readonly exportSession: (session: Session) => Promise<string>;
}

/** A sentence that describes the result, and whether a part of it failed. */
interface Outcome {
  readonly words: string;
  readonly isError: boolean;
}

type SessionEffect = Extract<Effect, { readonly kind: 'sessions' | 'tag' | 'send' | 'restore' }>;

/** Never rejects. */
export async function doSessionEffect(ports: SessionPorts, effect: SessionEffect): Promise<Outcome> {
  switch (effect.kind) {
    case 'sessions':
      return doSessions(ports, effect.act, effect.sessionIds);
    case 'tag':
      return doEach(effect.sessionIds, 'have other tags', async (session) => {
        const tagged = await ports.client.call('session.tag', {
          session,
          add: [...effect.add],
          remove: [...effect.remove],
        });
        return `${plainLine(tagged.name)}: ${tagged.tags?.map((tag) => `#${tag}`).join(' ') ?? 'no tags'}`;
      });
    case 'send':
      return doEach(effect.sessionIds, 'have got it', (session) => sendTo(ports, session, effect.text));
    case 'restore':
      return doEach(['last'], '', () => restoreLast(ports));
  }
}

async function sendTo({ client }: SessionPorts, session: string, text: string): Promise<string> {
  const { name } = await client.call('session.show', { session });
  const { unsent } = await client.call('session.send', { session, text, enter: true });
  if (unsent !== undefined) throw new Error(`${name} has the text, but Enter did not submit it`);
  return `${plainLine(name)} has got it`;
}

async function restoreLast({ client }: SessionPorts): Promise<string> {
  const [last] = await client.call('trash.list', {});
  if (!last) return 'no session was removed in the last five minutes';
  const { name } = await client.call('trash.restore', { removed: last.session.id });
  return `${plainLine(name)} is back`;
}

async function doSessions(ports: SessionPorts, act: SessionAct, ids: readonly string[]): Promise<Outcome> {
  const { words, isError } = await doEach(ids, PLURALS[act], (id) => doOne(ports, act, id));
  const { one, many } = AFTER[act] ?? {};
  const then = isError ? undefined : ids.length === 1 ? one : many;
  return { words: then === undefined ? words : `${words}; ${then}`, isError };
}

/** Hints for the next key after an action, for one session and for several. */
const AFTER: Readonly<Partial<Record<SessionAct, { readonly one: string; readonly many: string }>>> = {
  kill: { one: 'R starts it again', many: 'R starts them again' },
  remove: { one: 'u brings it back', many: 'u brings them back, one by one' },
};

/**
 * If the action fails for one session, it is still tried for the others.
 * @param plural  Follows the number of sessions if there are several.
 */
async function doEach(
  ids: readonly string[],
  plural: string,
  doOneOf: (id: string) => Promise<string>,
): Promise<Outcome> {
  const results = await Promise.all(
    ids.map((id) =>
      doOneOf(id).then(
        (words) => ({ words, problem: null }),
        (error: unknown) => ({ words: '', problem: wordsOf(error) }),
      ),
    ),
  );
  const failed = results.filter(({ problem }) => problem !== null);
  const [first] = failed;
  const done = results.length - failed.length;
  if (first?.problem) {
    const others = results.length === 1 ? '' : `${done} of ${results.length} done; `;
    return { words: `${others}${first.problem}`, isError: true };
  }
  const [only] = results;
  const words = results.length === 1 && only ? only.words : `${results.length} sessions ${plural}`;
  return { words, isError: false };
}

const PLURALS: Readonly<Record<SessionAct, string>> = {
  kill: 'have ended',
  restart: 'are started again',
  remove: 'are removed',
  export: 'are exported to the current folder',
};

const HOW = {
  conversation: 'goes on with its conversation',
  program: 'is started again',
  fresh: 'begins a new conversation',
} as const;

async function doOne({ client, env, exportSession }: SessionPorts, act: SessionAct, session: string): Promise<string> {
  switch (act) {
    case 'kill':
      return `${plainLine((await client.call('session.kill', { session })).name)} has ended`;
    case 'restart': {
      const { ended_at } = await client.call('session.show', { session });
      const input = { session, ...callerOf(env) };
      const revived = await client.call(ended_at === null ? 'session.restart' : 'session.revive', input);
      return `${plainLine(revived.session.name)} ${HOW[revived.how]}`;
    }
    case 'remove':
      return `${plainLine((await client.call('session.remove', { session })).name)} is removed`;
    case 'export': {
      const shown = await client.call('session.show', { session });
      return `${plainLine(shown.name)} is exported to ${await exportSession(shown)}`;
    }
  }
}
