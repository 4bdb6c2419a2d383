/**
 * Describes in sentences how an event came to be: what was found, by which ear, and with which knowledge of the
 * program.
 */
import type { AttentionFinding, Finding, MessageFinding, RejectedFinding } from '../../ears/index.js';
import {
  cut,
  type Ear,
  INEXACT_WORDS,
  type Session,
  type Source,
  type State,
  type StateSource,
  shownState,
  subjectOf,
} from '../../protocol/index.js';
import type { Target } from './target.js';

const EARS: Readonly<Record<Ear, (adapter: string) => string>> = {
  lines: () => 'orchd found it in output that was printed row by row.',
  screen: (adapter) =>
    `orchd found it on the screen, in rows that were painted, by the rules of the adapter '${adapter}'.`,
  transcript: (adapter) => `orchd found it in the agent's own transcript (adapter '${adapter}').`,
  hook: (adapter) => `A hook of the agent said it (adapter '${adapter}').`,
  tool: () => 'A tool of the agent said it.',
};
const FORMS: Readonly<Record<Source, string>> = {
  fence: 'a fenced block `orchestrator-message`',
  marker: 'a marker `:ORCHESTRATOR:` on a row of its own',
  envelope: 'an envelope `<output>`',
  tool: 'a call of a tool',
};
const ASKS: Readonly<Record<AttentionFinding['source'], (adapter: string) => string>> = {
  dialog: (adapter) => `A dialog stood on the screen that the adapter '${adapter}' knows, and stood still.`,
  notification: () => 'The program sent a notification (OSC 9 or OSC 777).',
  bell: () => 'The program rang the bell.',
  question: () => 'The program asked this on its screen before it took the prompt of its run.',
  hook: (adapter) => `A hook of the agent asked for the person (adapter '${adapter}').`,
};
const ACTIVITIES = { busy: 'works', idle: 'waits', unknown: 'has an unknown activity' } as const;
const SIGNS = {
  title: 'its title',
  screen: 'its screen',
  transcript: 'its transcript',
  hook: 'a hook of the agent',
} as const;

const BY: Readonly<Record<StateSource, string>> = {
  message: 'as its message says',
  process: 'as its process shows',
  title: 'as its title says',
  screen: 'as its screen shows',
  transcript: 'as its transcript says',
  hook: 'as a hook of the agent says',
  host: 'as the host says',
};
const NOW: Partial<Record<State, string>> = { exited: 'has ended', failed: 'has failed' };

/** Returns the present state in the words of lists, which say more than the state itself. */
function nowWords(session: Session, state: State): string {
  const { word, words } = shownState(session);
  if (word === 'idle' && state !== 'waiting') return `is idle: its program waits at its prompt. Its state is ${state}`;
  if (word === 'ended') return `was ${words}`;
  return NOW[state] ?? `is ${word === 'running' ? 'running: a full-screen program that orchd cannot read' : state}`;
}
const MAX_QUOTED = 200;

/** Answers the question for which a person asks for the explanation, in one sentence. */
export function summaryOf({ event, entry, item, what }: Target, finding: Finding | null): string {
  if (!entry) return `${event.event_type}.`;
  const who = `Session '${entry.view.name}'`;
  switch (event.event_type) {
    case 'message':
      return `${who} sent a message ${event.message.type}${quoted(event.message)}.`;
    case 'message_rejected':
      return `${who} printed something that was meant as a message, and is none: ${event.reason}.`;
    case 'session_state_changed': {
      const { state, state_source, previous } = event;
      const change = what === 'state' ? nowWords(entry.view, state) : `became ${state}`;
      const why =
        state_source === 'message' && finding?.kind === 'message'
          ? `because it sent a message ${finding.message.type}${quoted(finding.message)}`
          : BY[state_source];
      return `${who} ${change}, ${why}. Before, it was ${previous}.`;
    }
    case 'item_opened':
      return `${who} opened an item ${event.type}${item ? quoted(item) : ''}.`;
    default:
      return `${event.event_type}, of session '${entry.view.name}'.`;
  }
}

/** Returns what a message says, for the end of a sentence. */
function quoted(said: Parameters<typeof subjectOf>[0]): string {
  const subject = subjectOf(said).trim();
  return subject === '' ? '' : `: “${cut(subject, MAX_QUOTED)}”`;
}

type Described = {
  readonly [K in Finding['kind']]: (
    finding: Extract<Finding, { kind: K }>,
    session: Session,
    title: string,
  ) => string[];
};

const inJournal = ({ reason }: { readonly reason: string }): string[] => [
  `The host wrote it into the journal (${reason}).`,
];

const FINDINGS: Described = {
  message: (finding, { adapter }) => [
    EARS[finding.ear](adapter),
    formWords(finding),
    ...(finding.exact === false ? [`The message is not exact. ${INEXACT_WORDS}`] : []),
  ],
  rejected: (finding, { adapter }) => [EARS[finding.ear](adapter), formWords(finding)],
  hint: ({ ear, message }, { adapter }) => [EARS[ear](adapter), `It looks like a message, but is not one. ${message}`],
  corrected: ({ ear }, { adapter }) => [
    EARS[ear](adapter),
    'It is the exact text of a message that was reported before from another source.',
  ],
  attention: ({ source }, { adapter }) => [ASKS[source](adapter)],
  usage: (_, { adapter }) => [`The agent’s own records name its requests to the model (adapter '${adapter}').`],
  attention_over: ({ wasTyped }) => [
    wasTyped
      ? 'Something was typed, and the request for a person was over.'
      : 'The request for a person was over, and nothing had been typed.',
  ],
  activity({ activity, source }, { adapter }, title) {
    const sign = source === 'title' ? `${SIGNS[source]} (“${title}”)` : SIGNS[source];
    return [`The program ${ACTIVITIES[activity]}, as ${sign} says by the adapter '${adapter}'.`];
  },
  busy: ({ turn, hadWaited }) => [
    'The program printed something that is not the echo of what was typed.',
    ...(turn > 0 ? [hadWaited ? 'It had waited for that input.' : 'It had not waited for that input.'] : []),
  ],
  turn: ({ writeId }) => [
    `Enter was pressed, ${writeId === null ? 'by a person in the terminal' : `by orchd (${writeId})`}.`,
  ],
  prompt: () => ['The agent’s transcript holds the input.'],
  called: () => ['A tool was called.'],
  given: ({ isTaken }) => [
    isTaken
      ? 'The call of the tool has its result, says the journal.'
      : 'The answer became the result of a call of a tool, says the journal.',
  ],
  written: () => ['The last byte of the write is in the pty, says the journal.'],
  write_failed: () => ['The program ended before the write was done, says the journal.'],
  transcript: ({ health }) => [`What the transcript and the terminal said was compared: ${health}.`],
  paused: inJournal,
  resumed: inJournal,
  exited: ({ signal, exitCode }, { state }) => [
    signal === null
      ? `The program ended with ${exitCode === null ? 'an unknown exit code' : `exit code ${exitCode}`}.`
      : `The program was ended by ${signal}.`,
    ...(signal !== null && state === 'done' ? ['It was done by then.'] : []),
  ],
};

/** Returns the sentences with which `orchd explain` describes a finding. */
export const wordsOfFinding = <K extends Finding['kind']>(
  finding: Extract<Finding, { kind: K }>,
  session: Session,
  title: string,
): string[] => (FINDINGS[finding.kind] as Described[K])(finding, session, title);

function formWords({ source, line, turn, ...rest }: MessageFinding | RejectedFinding): string {
  const place = 'ordinal' in rest ? `message ${rest.ordinal} of turn ${turn}` : `in turn ${turn}`;
  if (source === 'tool') return `It had the form of ${FORMS[source]}: ${place}.`;
  return `It had the form of ${FORMS[source]}, beginning on line ${line} of what that reader read: ${place}.`;
}
