/** Events of the daemon and its sessions. */
import { byWords, STATE_BADGES } from '../states/index.js';
import { usageWords } from '../words/index.js';
import type { EventKinds } from './event-kind.js';

export const SESSION_EVENTS = {
  daemon_started: {
    lists: 'all',
    line: (event) => `pid ${event.pid}, version ${event.version}`,
    feed: ({ pid, version }) => ({ text: `daemon ${version} took over (process ${pid})`, style: 'dim' }),
    why: () => ['A daemon began, and took the log over.'],
  },
  journal_damaged: {
    lists: [],
    line: (event) => `${event.from} to ${event.to}: ${event.detail}`,
    feed: ({ detail }) => ({ text: `journal damaged: ${detail}`, style: 'red' }),
    why: ({ from, to, detail }) => [`The journal cannot be read from ${from} to ${to}: ${detail}.`],
  },
  session_started: {
    lists: ['sessions'],
    line: (event) => `${event.name}: ${event.command.join(' ')}`,
    feed: ({ command }) => ({ text: `started: ${command.join(' ')}` }),
    why: ({ workflow_id }) =>
      workflow_id === undefined
        ? ['A client asked for it; the host started the program in a pty.']
        : [`For the questions of workflow run ${workflow_id}.`],
  },
  session_renamed: {
    lists: ['inbox', 'sessions'],
    line: (event) => `${event.previous} → ${event.name}`,
    feed: ({ previous, name }) => ({ text: `renamed from ${previous} to ${name}` }),
    why: () => ['A client asked for it.'],
  },
  session_tagged: {
    lists: ['sessions'],
    line: (event) => event.tags.join(' ') || 'no tags',
    feed: ({ tags }) => ({ text: tags.length === 0 ? 'has no tags' : `tags: ${tags.join(' ')}`, style: 'dim' }),
    why: () => ['A person or a program asked for it.'],
  },
  session_state_changed: {
    lists: ['sessions'],
    line: ({ previous, state, state_source }) =>
      `${previous} → ${STATE_BADGES[state].mark} ${state} (by ${state_source})`,
    // A change caused by a message or by the program's end has no line of its own, because its cause has one.
    feed: ({ state, state_source, previous }) =>
      state_source === 'message' || state === 'exited' || state === 'failed' || state === 'done' || state === 'lost'
        ? null
        : { text: `${previous} → ${state}`, style: 'dim' },
    why: ({ state }) =>
      state === 'starting'
        ? ['Its program was started again.']
        : state === 'lost'
          ? ['The host that held the terminal was gone.']
          : [],
  },
  session_paused: {
    lists: ['sessions'],
    line: (event) => event.reason,
    feed: ({ reason }) => ({ text: `paused: ${reason.replace('_', ' ')}`, style: 'red' }),
  },
  session_resumed: {
    lists: ['sessions'],
    line: () => '',
    feed: () => ({ text: 'goes on' }),
  },
  session_transcript_changed: {
    lists: ['sessions'],
    line: (event) => `${event.transcript} ${event.agent_session_id ?? ''}`.trimEnd(),
    feed: ({ transcript }) =>
      transcript === 'lost'
        ? { text: 'its transcript lacks what its screen shows; the screen alone is heard', style: 'yellow' }
        : { text: `transcript ${transcript}`, style: 'dim' },
  },
  session_idle_changed: {
    lists: ['sessions'],
    line: (event) => (event.idle ? 'at its prompt' : 'runs a command'),
    feed: () => null,
    why: ({ idle }) => [
      `Its processes and its terminal showed that it ${idle ? 'waits at its prompt' : 'works again'}.`,
    ],
  },
  session_usage_changed: {
    lists: ['sessions'],
    line: ({ usage }) => usageWords(usage),
    feed: () => null,
    why: () => ['The agent’s own records name the requests to its model.'],
  },
  session_exited: {
    lists: ['inbox', 'sessions'],
    line: (event) =>
      [
        event.ended_by === undefined
          ? event.state
          : `${event.state}, ended ${byWords(event.ended_by, event.ended_by_name)}`,
        event.exit_code === null ? '' : `exit code ${event.exit_code}`,
        event.signal ?? '',
      ]
        .filter(Boolean)
        .join(', '),
    feed: ({ state, exit_code, signal, ended_by, ended_by_name }) => {
      const how =
        ended_by !== undefined
          ? `${state === 'exited' ? '' : 'ended '}${byWords(ended_by, ended_by_name)}`
          : (signal ?? (exit_code === null ? '' : `exit code ${exit_code}`));
      return { text: `ended: ${[state, how].filter(Boolean).join(', ')}`, style: STATE_BADGES[state].style };
    },
  },
  session_lost: {
    lists: ['sessions'],
    line: (event) => event.reason,
    feed: ({ reason }) => ({ text: `lost: ${reason}`, style: 'magenta' }),
    why: ({ reason }) => [`The host that held the terminal was gone: ${reason}.`],
  },
  session_revived: {
    lists: ['sessions'],
    line: (event) => `${event.how}: ${event.command.join(' ')}`,
    feed: ({ command }) => ({ text: `started again: ${command.join(' ')}` }),
    why: ({ how }) => [
      `A client asked for it; the host started ${how === 'conversation' ? 'the conversation' : 'the program'} again.`,
    ],
  },
  session_removed: {
    lists: ['inbox', 'sessions'],
    line: (event) =>
      `${event.name} (${event.reason}${event.until === undefined ? '' : `, in the trash until ${event.until}`})`,
    feed: ({ name, until }) => ({
      text: `${name} was ${until === undefined ? 'removed' : 'put into the trash'}`,
      style: 'dim',
    }),
    why: ({ until }) => [
      until === undefined
        ? 'A person removed it, its time in the trash was over, or the retention of the configuration removed it.'
        : `A person removed it; \`orchd rm --undo\` brings it back until ${until}.`,
    ],
  },
  session_restored: {
    lists: ['sessions'],
    line: (event) => event.session.name,
    feed: ({ session }) => ({ text: `${session.name} came back from the trash` }),
    why: () => ['A person asked for it.'],
  },
} satisfies Partial<EventKinds>;
