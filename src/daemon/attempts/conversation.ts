/**
 * Attempts of interactive runs: types a prompt into the run's session. The end of the agent's turn ends the attempt.
 *
 * In:   an attempt whose session may already exist.
 * Out:  its result, once; null if the session ends first, or the attempt is no longer the run's last.
 *
 * The id of the prompt's write is derived from the attempt, so the host types it once, even if several daemons ask.
 * Everything else is read from the journal, so a restarted daemon gets the same result.
 */
import { type HostClient, openJournal, readInPieces } from '../../host/index.js';
import { type AttemptEnd, isHeldUp, isTurnOver, type RunAggregate, typeable } from '../../lifecycle/index.js';
import { OrchdError, type Paths, type Run, type RunAttempt, type RunError } from '../../protocol/index.js';
import type { PossibleEcho, ResultChecker } from '../../results/index.js';
import type { LastTurn, ScreenKeeper, TurnReader } from '../../session/index.js';
import { type Answers, readsTerminal, type Typist, typedWords } from '../answers/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Sessions } from '../sessions/index.js';
import { checkText, MAX_RESULT_CHARS, PIECE_BYTES, sessionError } from './attempt-end.js';
import { LOOK_MS, whenPromptFits } from './before-prompt.js';
import { beginConversation, wordsBefore } from './conversation-begin.js';
import type { Environment } from './environments.js';
import { noteTerminal } from './line-program.js';

export interface ConversationPorts {
  readonly now: () => number;
  readonly host: () => HostClient;
  readonly paths: Paths;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly checker: Pick<ResultChecker, 'checkText'>;
  readonly typist: Pick<Typist, 'type' | 'sees' | 'reserve'>;
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  readonly answers: Pick<Answers, 'checkLines'>;
}

interface AttemptAbout {
  readonly aggregate: RunAggregate;
  readonly attempt: RunAttempt;
}

export interface ConversationAbout extends AttemptAbout {
  /** Called when the prompt was typed. */
  readonly onAsked: () => void;
}

const SCREEN_ROWS = 10_000;

/** @throws {OrchdError} The error of the program, its directory or its adapter. No program was started then. */
export async function openConversation(ports: ConversationPorts, about: AttemptAbout, env: Environment): Promise<void> {
  if (!ports.registry.get(about.attempt.session_id)) await beginConversation(ports, { ...about, env });
}

/** @param isCurrent  Returns true while the daemon still waits for this attempt. */
export async function converse(
  ports: ConversationPorts,
  about: ConversationAbout,
  isCurrent: () => boolean,
): Promise<AttemptEnd | null> {
  const { aggregate, attempt } = about;
  const entry = ports.registry.get(attempt.session_id);
  if (!entry) return null;
  const journal = await openTurn(ports.paths, entry, writeIdOf(aggregate.run, attempt));
  try {
    await journal.read();
    if (journal.turn().phase === 'untyped') await ask(ports, entry, about, isCurrent);
    about.onAsked();
    let restedSince: number | null = null;
    while (isCurrent() && !entry.hasEnded) {
      if (!isAtRest(entry, look(entry, journal))) restedSince = null;
      else {
        restedSince ??= entry.monotonicNow();
        await journal.read();
        const isSeen = ports.typist.sees(entry);
        const signs = {
          ...look(entry, journal),
          hasTranscript: hasTranscript(entry),
          isSeen,
          restMs: entry.monotonicNow() - restedSince,
        };
        const isStill = isCurrent() && !entry.hasEnded && isAtRest(entry, signs);
        if (isStill && isTurnOver(signs)) {
          const cleared = isOnlyBack(entry, signs) ? journal.clearedText() : undefined;
          const said = hasTranscript(entry)
            ? exact(signs.text)
            : cleared === undefined
              ? await shownText(ports, aggregate.run, entry, journal, isSeen)
              : exact(cleared?.trim() || null);
          // A program that prints its prompt after each line has not answered yet.
          if (said.text !== null || !isOnlyBack(entry, signs)) return endOf(ports, aggregate.run, entry, said);
        }
      }
      await entry.whenOutputRead(LOOK_MS);
      if (restedSince === null) await journal.read();
    }
    return null;
  } finally {
    journal.close();
  }
}

/** Returns the result when its session has ended, with its final text or before it. */
export async function endedConversation(
  ports: ConversationPorts,
  { aggregate, attempt }: AttemptAbout,
): Promise<AttemptEnd> {
  const entry = ports.registry.get(attempt.session_id);
  if (!entry) throw new OrchdError('ORCHD_SESSION_UNKNOWN', `there is no session ${attempt.session_id}`);
  await entry.leaving; // by then its last output is in the journal
  const journal = await openTurn(ports.paths, entry, writeIdOf(aggregate.run, attempt));
  await journal.read();
  const { phase, text } = journal.turn();
  journal.close();
  const said = hasTranscript(entry) ? exact(text) : await shownText(ports, aggregate.run, entry, journal, false);
  // A missing call can only be requested in the same session. If the session is gone, that is the agent's error.
  const kind = aggregate.run.tool === undefined ? 'AgentError' : 'ConversationLostError';
  const early = { error: kind, message: 'the agent ended before its turn did' };
  const isDone = phase !== 'untyped' && said.text !== null && entry.view.exit_code === 0;
  const error = sessionError(entry.view) ?? said.error ?? (isDone ? null : early);
  return { ...(await endOf(ports, aggregate.run, entry, { ...said, error })), hasLeft: true };
}

/** Types the prompt, unless the host already has. */
async function ask(
  ports: ConversationPorts,
  entry: SessionEntry,
  { aggregate, attempt }: AttemptAbout,
  isCurrent: () => boolean,
): Promise<void> {
  const before = attempt.number === 1 ? await wordsBefore(ports.paths, aggregate, entry.id) : null;
  const words = typeable(before === null ? attempt.prompt : `${before}\n\n${attempt.prompt}`);
  const text = typedWords(ports, entry, words);
  await whenPromptFits(ports, entry, isCurrent);
  await ports.answers.checkLines(entry, text);
  const writeId = writeIdOf(aggregate.run, attempt);
  const type = () => ports.typist.type(entry, { writeId, text, onWait: () => {} });
  if (ports.typist.sees(entry)) {
    await type();
    return;
  }
  await noteTerminal(ports.host(), entry, writeId, 'before');
  await type();
  await noteTerminal(ports.host(), entry, writeId, 'after');
}

export const writeIdOf = ({ id }: Pick<Run, 'id'>, { number }: Pick<RunAttempt, 'number'>): string =>
  `wri_${id.slice('run_'.length)}_${number}`;

/** The turn, as of the last record. */
interface Look extends LastTurn {
  /** True if the program clears the screen before its prompt, shows the prompt again, and waits for its terminal. */
  readonly isAtClearedPrompt: boolean;
}

function look(entry: SessionEntry, journal: TurnJournal): Look {
  const turn = journal.turn();
  // Clearing the screen looks like painting, and the state of a program that paints is unknown.
  const isAtClearedPrompt =
    turn.isBack &&
    entry.aggregate.session.state === 'unknown' &&
    readsTerminal(entry.view.pid) &&
    typeof journal.clearedText() === 'string';
  return { ...turn, isAtClearedPrompt };
}

/** True if no item is open and the agent seems to be idle. */
function isAtRest(entry: SessionEntry, turn: Pick<Look, 'phase' | 'isBack' | 'isAtClearedPrompt'>): boolean {
  if (isHeldUp(entry.aggregate)) return false;
  const sight = entry.hearing?.signal() ?? null;
  if (sight) return sight.activity === 'idle' && sight.dialog === null && (sight.composer ?? '').trim() === '';
  return saidItsEnd(entry) || (hasTranscript(entry) ? turn.phase === 'over' : isOnlyBack(entry, turn));
}

function saidItsEnd({ aggregate }: SessionEntry): boolean {
  const { said } = aggregate.standing;
  return said === 'TASK_COMPLETE' || said === 'OUTPUT';
}

/** True if only the prompt that the program shows again indicates that the turn has ended. */
const isOnlyBack = (
  entry: SessionEntry,
  { isBack, isAtClearedPrompt }: Pick<Look, 'isBack' | 'isAtClearedPrompt'>,
): boolean =>
  isBack && (entry.aggregate.session.idle === true || isAtClearedPrompt) && !hasTranscript(entry) && !saidItsEnd(entry);

/** True if the daemon reads the agent's transcript, or will. */
const hasTranscript = ({ view }: SessionEntry): boolean =>
  view.transcript === 'healthy' || view.transcript === 'waiting';

async function endOf(
  ports: ConversationPorts,
  run: Run,
  entry: SessionEntry,
  { text, echo, error }: Said,
): Promise<AttemptEnd> {
  const isTooLong = text !== null && text.length > MAX_RESULT_CHARS;
  const tooLong = { error: 'ResultTooLargeError', message: `the result has more than ${MAX_RESULT_CHARS} characters` };
  const problem = error ?? (isTooLong ? tooLong : null);
  const { exit_code: exitCode, agent_session_id: agentSessionId } = entry.view;
  return {
    exitCode,
    agentSessionId,
    usage: null,
    error: problem,
    limit: null,
    text: isTooLong ? null : text,
    verdict: problem === null && text !== null ? await checkText(ports, run, text, { goesOn: true, echo }) : null,
  };
}

/** The text of an attempt. `echo` is set if the text may contain some of the prompt. */
interface Said {
  readonly text: string | null;
  readonly echo: PossibleEcho | null;
  readonly error: RunError | null;
}

const exact = (text: string | null, echo: PossibleEcho | null = null): Said => ({ text, echo, error: null });
const UNCLEAR: RunError = {
  error: 'AgentError',
  message:
    'its screen shows a part of the prompt only, so that its answer cannot be told from it: use an output ' +
    'schema, or a program with an adapter',
};

/** Returns what a program without a transcript printed in its turn, or the part of its screen below the prompt. */
async function shownText(
  ports: ConversationPorts,
  run: Run,
  entry: SessionEntry,
  journal: TurnJournal,
  isSeen: boolean,
): Promise<Said> {
  const { text, isExact, isPainted, typed, whole } = journal.printed();
  if (!isSeen && !isPainted) return exact(text.trim() || null, isExact ? null : { typed, printed: whole });
  const { afterPrompt } = await import('../../session/index.js');
  const { screen } = await ports.screenOf(entry);
  const rows = screen.look({ from: -SCREEN_ROWS, ansi: false }).map((row) => row.trimEnd());
  const after = afterPrompt(rows, typed);
  // JSON in the prompt is not a result. The prompt is passed as `echo`, so that its JSON is excluded.
  if (!after.isExact && run.output_format === 'text') return { text: null, echo: null, error: UNCLEAR };
  return exact(after.rows.join('\n').trim() || null, { typed, printed: rows.join('\n') });
}

// ── the journal ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The turn of an attempt, read from its session's journal. */
interface TurnJournal extends Pick<TurnReader, 'turn' | 'printed' | 'clearedText'> {
  /** Reads to the journal's end, in pieces, so that the daemon can serve other requests in between. */
  read(): Promise<void>;
  close(): void;
}

async function openTurn(paths: Paths, entry: SessionEntry, writeId: string): Promise<TurnJournal> {
  const { TurnReader } = await import('../../session/index.js');
  const reader = openJournal(paths.journalsDir, entry.id, { from: entry.start.position });
  const turns = new TurnReader(writeId);
  return {
    turn: () => turns.turn(),
    printed: () => turns.printed(),
    clearedText: () => turns.clearedText(),
    read: () => readInPieces(reader, { pieceBytes: PIECE_BYTES }, (record) => turns.push(record)),
    close: () => reader.close(),
  };
}
