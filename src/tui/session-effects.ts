/** Carries out what a person does with one or several sessions, and says in words what became of it. */
import { type Client, callerEnvironment, callerUmask } from '../client/index.js';
import type { Session } from '../protocol/index.js';
import type { SessionAct } from './model/place.js';
import { plainLine, wordsOf } from './paint/text.js';

export interface SessionPorts {
  readonly client: Client;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Writes the recording of a session to a file.
   * @returns The path of the file.
   */
  readonly exportSession: (session: Session) => Promise<string>;
}

/** The sentence after an act, and if a part of it failed. */
interface Outcome {
  readonly words: string;
  readonly isError: boolean;
}

/** Never rejects. A session that fails does not keep the others from being tried. */
export async function doSessions(ports: SessionPorts, act: SessionAct, ids: readonly string[]): Promise<Outcome> {
  const results = await Promise.all(
    ids.map((id) =>
      doOne(ports, act, id).then(
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
  const words = results.length === 1 && only ? only.words : `${results.length} sessions ${PLURALS[act]}`;
  return {
    words: act === 'kill' ? `${words}; R starts ${results.length === 1 ? 'it' : 'them'} again` : words,
    isError: false,
  };
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
      const input = { session, env: callerEnvironment(env), umask: callerUmask() };
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
