/**
 * Decides what happens to a session: `decide(aggregate, input)` returns the new aggregate, the events to append, and
 * the effects to carry out once the events are on disk.
 *
 * Pure: ids and times are parameters. Replaying the same inputs gives the same events.
 */
import type {
  CorrectedFinding,
  ExitFinding,
  Finding,
  HintFinding,
  MessageFinding,
  TranscriptFinding,
  WriteFinding,
} from '../../ears/index.js';
import { extraOf, type ItemType, OPENS_ITEM, saidOfSession } from '../../protocol/index.js';
import { ignore } from '../decided.js';
import { timestamp } from '../timestamp.js';
import { acknowledge, settleAll, takePrompt, takeSettled, takeTaken } from './acknowledge.js';
import type { Decision, Input, SessionAggregate, TrackedItem } from './aggregate.js';
import { dropAsks, unask } from './asks.js';
import { endAttention, endBell, takeAttention } from './attention.js';
import { release, takeCall, takeGiven } from './calls.js';
import { Draft } from './draft.js';
import {
  deliver,
  enterAgain,
  hasRoom,
  isEnterAgain,
  MAX_OPEN_CHARS,
  MAX_OPEN_ITEMS,
  openItem,
  openQuestion,
  outlivesSession,
  restore,
  stall,
  takeAnswer,
  takeBack,
  tell,
  withdraw,
} from './items.js';
import { rename, takeTags } from './labels.js';
import { refusalOf, whyUnchanged } from './refusals.js';
import { loseSession, reviveSession } from './revival.js';
import type { Evidence } from './session-state.js';
import { type Budget, takeUsage } from './usage.js';

type InputRule<K extends Input['kind']> = (draft: Draft, input: Extract<Input, { kind: K }>) => void;
/** One rule for each kind of input. If one is missing, the compiler reports it. */
const ON_INPUT: { readonly [K in Input['kind']]: InputRule<K> } = {
  finding: (draft, input) => takeFinding(draft, input.finding, input),
  answered: takeAnswer,
  stalled: (draft, input) => stall(draft, input.writeId, input.reason, input.time, input.seen),
  watched: (draft, input) => changeWrite(draft, input.writeId, (entry) => ({ ...entry, isWatched: true })),
  had_waited: (draft, input) => changeWrite(draft, input.writeId, (entry) => ({ ...entry, hadWaited: true })),
  unwatched: (draft, input) => changeWrite(draft, input.writeId, ({ isWatched: _, ...entry }) => entry),
  taken: takeTaken,
  settled: takeSettled,
  notified: tell,
  question_opened: openQuestion,
  question_withdrawn: (draft, input) => {
    for (const entry of draft.items.filter(({ item }) => item.id === input.itemId && item.state === 'open'))
      withdraw(draft, entry, input.reason, input.time);
  },
  released: release,
  unasked: (draft, input) => unask(draft, input.callId, input.time),
  concluded: (draft, input) => draft.observe({ kind: 'concluded' }, input.time),
  ending: (draft, { time, ...evidence }) => draft.observe(evidence, time),
  idle: (draft, input) => takeIdle(draft, input.isIdle, input.time),
  renamed: (draft, input) => rename(draft, input.name, input.time),
  tagged: (draft, input) => takeTags(draft, input.tags, input.time),
  used: takeUsage,
  taken_back: takeBack,
  restored: (draft, input) => restore(draft, input.time),
  resized: (draft, { cols, rows }) => {
    const { size } = draft.session;
    if (size.cols === cols && size.rows === rows) {
      draft.because('the session has this size already');
      return;
    }
    draft.session = { ...draft.session, size: { cols, rows } };
  },
  lost: (draft, input) => {
    settleAll(draft, input.time);
    loseSession(draft, input.time);
    draft.emit('session_lost', input.time, { reason: input.reason, state: draft.standing.state });
  },
  revived: (draft, input) => reviveSession(draft, input.revival, input.time),
};

/** Changes the item whose answer has this write id. */
const changeWrite = (draft: Draft, writeId: string, change: (entry: TrackedItem) => TrackedItem): void =>
  draft.changeItems((entry) => entry.writeId === writeId, change);

/**
 * Decides the consequences of one input for a session.
 *
 * @returns The new aggregate, the events to append, and the effects to carry out after that. If the input changes
 *   nothing, the same aggregate, and why.
 */
export function decide(aggregate: SessionAggregate, input: Input): Decision {
  const refusal = refusalOf(aggregate, input);
  if (refusal !== null) return { ...ignore(aggregate, refusal), items: [] };
  const draft = new Draft(aggregate);
  const rule = ON_INPUT[input.kind] as (draft: Draft, input: Input) => void; // the kind selects the rule
  rule(draft, input);
  return draft.isChanged ? draft.done() : { ...ignore(aggregate, whyUnchanged(input, draft.reason)), items: [] };
}

// ── findings ────────────────────────────────────────────────────────────────────────────────────────────────────────

type FindingRule<K extends Finding['kind']> = (draft: Draft, finding: Extract<Finding, { kind: K }>, ids: Ids) => void;
interface Ids {
  readonly messageId: string;
  readonly itemId: string;
  /** Undefined if there is no budget. */
  readonly budget?: Budget | undefined;
}

/** One rule for each kind of finding. If one is missing, the compiler reports it. */
const ON_FINDING: { readonly [K in Finding['kind']]: FindingRule<K> } = {
  message: takeMessage,
  rejected: (draft, { reason, errors, raw, truncated, source, ear, origin, turn, time }) => {
    const cut = truncated ? { truncated } : {};
    draft.emit('message_rejected', time, {
      reason,
      errors: [...errors],
      raw,
      ...cut,
      source,
      ear,
      origin,
      turn,
    });
  },
  hint: takeHint,
  called: (draft, finding, { messageId }) => takeCall(draft, finding, messageId),
  given: takeGiven,
  corrected: takeCorrection,
  transcript: takeTranscript,
  prompt: takePrompt,
  activity: (draft, { activity, source, time }) => {
    if (draft.session.ended_at !== null) {
      draft.because('the session has ended');
      return;
    }
    if (activity === 'busy') acknowledge(draft, draft.session.turn, true, time);
    if (activity === 'idle') dropAsks(draft);
    draft.observe({ kind: 'activity', activity, source }, time);
  },
  usage: (draft, { usage, time }, { itemId, budget }) =>
    takeUsage(draft, { usage, time, limit: budget ? { budget, itemId } : null }),
  attention: (draft, finding, { itemId }) => takeAttention(draft, finding, itemId),
  attention_over: endAttention,
  turn: (draft, { turn, writeId, time }) => {
    draft.session = { ...draft.session, turn };
    draft.changeItems(
      (entry) => entry.writeId !== null && (entry.writeId === writeId || enterAgain(entry.writeId) === writeId),
      (entry) => ({ ...entry, answeredTurn: turn }),
    );
    // A repeated Enter belongs to a text from before. It answers no question that has come since.
    if (writeId !== null && isEnterAgain(writeId))
      draft.changeItems(
        ({ item }) => item.state === 'open',
        (entry) => ({ ...entry, openedTurn: turn }),
      );
    // Any later Enter may submit the text that is still in the input line.
    draft.changeItems(isUnsent, (entry) => ({ ...entry, answeredTurn: turn }));
    draft.observe({ kind: 'turn' }, time);
  },
  busy: (draft, { turn, hadWaited, time }) => {
    acknowledge(draft, turn, hadWaited, time);
    draft.observe({ kind: 'busy' }, time);
  },
  written: takeWritten,
  write_failed: (draft, { writeId, time }) => stall(draft, writeId, 'write_failed', time),
  paused: (draft, { reason, time }) => draft.emit('session_paused', time, { reason }),
  resumed: (draft, { time }) => draft.emit('session_resumed', time, {}),
  exited: takeExit,
};

const isUnsent = ({ item: { answer } }: TrackedItem): boolean =>
  answer?.delivery === 'stalled' && answer.stalled_reason === 'not_submitted';

function takeFinding(draft: Draft, finding: Finding, ids: Ids): void {
  const rule = ON_FINDING[finding.kind] as FindingRule<Finding['kind']>; // the key selects the rule of its kind
  rule(draft, finding, ids);
}

function takeMessage(draft: Draft, finding: MessageFinding, { messageId, itemId }: Ids): void {
  const { message, source, ear, origin, turn, ordinal, exact, time } = finding;
  draft.emit('message', time, {
    message_id: messageId,
    message,
    source,
    ear,
    origin,
    turn,
    ordinal,
    ...(exact === false && { exact }),
  });
  draft.session = { ...draft.session, ...saidOfSession(draft.session, message) };
  // The last messages of a transcript may arrive after the program's end. An answer would then reach no program.
  if (draft.session.ended_at !== null) return;
  if (OPENS_ITEM.has(message.type)) {
    if (hasRoom(draft.items)) openAsked(draft, finding, messageId, itemId);
    else tellTooMany(draft, finding);
  }
  draft.observe({ kind: 'message', message }, time);
}

function takeHint(draft: Draft, { hint, seen, message, ear, origin, turn, time }: HintFinding): void {
  const { hints = [] } = draft.session;
  if (hints.some((one) => one.hint === hint)) {
    draft.because('the session has this hint already');
    return;
  }
  draft.session = { ...draft.session, hints: [...hints, { hint, seen, message }] };
  draft.emit('message_hint', time, { hint, seen, message, ear, origin, turn });
}

/** Emits once per session that its further messages open no items. */
function tellTooMany(draft: Draft, { message, ear, origin, turn, time }: MessageFinding): void {
  takeHint(draft, {
    kind: 'hint',
    hint: 'too_many_open',
    seen: message.type,
    ear,
    origin,
    turn,
    at: 0,
    time,
    message:
      `this session has ${MAX_OPEN_ITEMS} open items, or ${MAX_OPEN_CHARS / 1024} KiB of them: ` +
      'further messages open none. Answer or decline some, or kill the session.',
  });
}

/**
 * Handles the exact text of a message that was read from the screen. An open item is updated. An answered item keeps
 * the text that the person saw.
 */
function takeCorrection(draft: Draft, finding: CorrectedFinding, { messageId }: Ids): void {
  const { message, ear, origin, time } = finding;
  draft.emit('message_corrected', time, { message_id: messageId, message, ear, origin });
  draft.changeItems(
    ({ item }) => item.message_id === messageId && item.state === 'open',
    (entry) => {
      const { exact: _exact, ...item } = entry.item;
      return { ...entry, item: { ...item, data: message.data, ...extraOf(message) } };
    },
  );
}

function takeTranscript(draft: Draft, { health, agentSessionId, time }: TranscriptFinding): void {
  const { transcript, agent_session_id: known } = draft.session;
  const id = agentSessionId ?? known;
  if (transcript === health && id === known) {
    draft.because('the transcript is in this state already');
    return;
  }
  draft.session = { ...draft.session, transcript: health, agent_session_id: id };
  draft.emit('session_transcript_changed', time, { transcript: health, agent_session_id: id });
}

function openAsked(draft: Draft, finding: MessageFinding, messageId: string, itemId: string): void {
  const { session } = draft;
  const { time, origin, message, exact } = finding;
  endBell(draft, time);
  openItem(draft, {
    itemId,
    time,
    type: message.type as ItemType, // only types in OPENS_ITEM come here
    data: message.data,
    origin,
    messageId,
    about: {
      ...extraOf(message),
      ...(exact === false && { exact }),
      // In a terminal the answer is typed, so the item does not belong to the run.
      ...(session.run_id !== undefined && session.mode === 'batch' && { run_id: session.run_id }),
    },
  });
}

function takeWritten(draft: Draft, finding: WriteFinding): void {
  const entry = draft.items.find(({ writeId }) => writeId === finding.writeId);
  if (!entry) {
    draft.because(`no answer has the write ${finding.writeId}`); // a `send` has it
    return;
  }
  if (entry.isWritten) {
    draft.because(`the answer of item ${entry.item.id} was written before`);
    return;
  }
  const origin = { ear: 'lines' as const, from: finding.from, to: finding.to };
  draft.emit('answer_written', finding.time, {
    item_id: entry.item.id,
    write_id: finding.writeId,
    origin,
  });
  draft.changeItems(
    (other) => other === entry,
    () => ({
      ...(entry.item.answer?.delivery === 'acknowledged' ? entry : deliver(entry, 'written')),
      isWritten: true,
    }),
  );
}

function takeExit(draft: Draft, finding: ExitFinding): void {
  const { exitCode, signal, leftOpen, escaped, time } = finding;
  const { endedBy, endedByName: name } = draft.standing;
  const ended = endedBy === undefined ? {} : { ended_by: endedBy, ...(name !== undefined && { ended_by_name: name }) };
  const { idle: _idle, ...session } = draft.session;
  draft.session = { ...session, exit_code: exitCode, signal, ...ended };
  settleAll(draft, time);
  endItems(draft, draft.items, time);
  draft.asks = [];
  endSession(draft, { kind: 'exited', exitCode, signal }, time);
  const rest = {
    exit_code: exitCode,
    signal,
    left_open: leftOpen,
    escaped: escaped.map((process) => ({ ...process })),
    ...ended,
  };
  draft.emit('session_exited', time, { ...rest, state: draft.standing.state });
}

function takeIdle(draft: Draft, isIdle: boolean, time: number): void {
  const { idle, ...session } = draft.session;
  if (session.ended_at !== null) {
    draft.because('the session has ended');
    return;
  }
  if (isIdle === (idle ?? false)) {
    draft.because(`the shell ${isIdle ? 'is idle' : 'runs a command'} already`);
    return;
  }
  draft.session = isIdle ? { ...session, idle: true } : session;
  draft.emit('session_idle_changed', time, { idle: isIdle });
}

function endSession(draft: Draft, evidence: Evidence, time: number): void {
  draft.session = { ...draft.session, ended_at: timestamp(time) };
  draft.observe(evidence, time);
}

function endItems(draft: Draft, entries: readonly TrackedItem[], time: number): void {
  for (const entry of entries) {
    if (outlivesSession(entry.item)) continue;
    if (entry.item.state === 'open') withdraw(draft, entry, 'session_ended', time);
    else if (entry.writeId !== null) stall(draft, entry.writeId, 'session_ended', time);
  }
}
