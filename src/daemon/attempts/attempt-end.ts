/**
 * Determines the result of an attempt by reading its session's journal from the beginning.
 *
 * In:   a batch session that has ended, and its run.
 * Out:  its end, as input for the run's decisions. It depends only on the journal (and the checker's time limit), so a
 *       restarted daemon gets the same result.
 */
import { openJournal, readInPieces } from '../../host/index.js';
import { type AttemptEnd, type AttemptVerdict, ownUsage, wholePrompt } from '../../lifecycle/index.js';
import type { Paths, Run, RunError, Session } from '../../protocol/index.js';
import {
  callInstructions,
  checkEnvelope,
  envelopeInstructions,
  type PossibleEcho,
  type ResultChecker,
  retryPrompt,
  schemaInstructions,
} from '../../results/index.js';
import type { BatchOutcome } from '../../session/index.js';
import { limitConcurrency } from '../concurrency/index.js';
import { requireBatch } from './batch.js';

export interface AttemptEndPorts {
  readonly paths: Paths;
  readonly checker: Pick<ResultChecker, 'checkText'>;
}

/** Maximum length of a result; the text of a longer one stays in the journal. */
export const MAX_RESULT_CHARS = 10 * 1024 * 1024;
/** Maximum number of bytes read of a program's output, far more than an agent prints in a turn. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Number of bytes of a journal read at once. */
export const PIECE_BYTES = 256 * 1024;
/** Attempts that end together are read one after the other, so that at most one journal is in memory. */
const inTurn = limitConcurrency(1);

export async function readAttemptEnd(ports: AttemptEndPorts, run: Run, session: Session): Promise<AttemptEnd> {
  const { traits } = await requireBatch(run.adapter);
  const output = await inTurn(() => readOutput(ports.paths, session.id));
  const now = Date.parse(session.ended_at ?? run.created_at);
  const outcome = traits.outcome({ ...output, exitCode: session.exit_code, now });
  const error = errorOf(outcome, session);
  const verdict = error === null && outcome.text !== null ? await checkText(ports, run, outcome.text) : null;
  return {
    exitCode: session.exit_code,
    text: outcome.text !== null && outcome.text.length > MAX_RESULT_CHARS ? null : outcome.text,
    agentSessionId: outcome.agentSessionId ?? session.agent_session_id,
    usage: outcome.usage && (traits.countsConversation ? ownUsage(run, outcome.usage) : outcome.usage),
    error,
    limit: outcome.limit,
    verdict,
  };
}

function errorOf({ text, error, isForgotten }: BatchOutcome, session: Session): RunError | null {
  const ended = sessionError(session);
  if (session.state === 'lost') return ended;
  if (isForgotten)
    return { error: 'ConversationLostError', message: error ?? 'the conversation is not there any more' };
  if (ended !== null) return ended;
  if (error !== null) return { error: 'AgentError', message: error };
  if (text !== null && text.length > MAX_RESULT_CHARS) {
    const message =
      `the result has ${text.length} characters, and may have ${MAX_RESULT_CHARS}; it stands in the journal of ` +
      `session ${session.id}`;
    return { error: 'ResultTooLargeError', message };
  }
  return null;
}

/** Returns the error that the session's end implies. */
export function sessionError({ id, state, signal }: Session): RunError | null {
  if (state === 'lost') return { error: 'SessionLostError', message: `session ${id} was lost with its host` };
  return signal === null ? null : { error: 'AgentError', message: `the agent was ended by ${signal}` };
}

interface Conversing {
  /** True if errors are reported to the program in the same conversation. The prompt then need not be repeated. */
  readonly goesOn: boolean;
  /** Set if the program's output may contain the echo of the prompt. */
  readonly echo?: PossibleEcho | null;
}

/** Checks an attempt's text against the run's output format. Returns null if the run has none. */
export async function checkText(
  ports: Pick<AttemptEndPorts, 'checker'>,
  run: Run,
  text: string,
  { goesOn, echo = null }: Conversing = { goesOn: run.adapter !== 'shell' },
): Promise<AttemptVerdict | null> {
  // The data of a tool call was checked during the call.
  const form = run.tool === undefined ? formInstructions(run) : null;
  if (form === null) return null;
  const isEnvelope = run.output_format === 'envelope';
  const prompt = [run.system ?? '', form, run.prompt, ...run.attempts.map((attempt) => attempt.prompt)].join('\n\n');
  const source = { typed: echo?.printed ? echo.typed : prompt, printed: echo?.printed ?? null };
  const verdict = isEnvelope
    ? checkEnvelope(text, source)
    : { human: null, ...(await ports.checker.checkText(text, run.output_schema, source)) };
  // The value was parsed from JSON, so it has the type of a result.
  if (verdict.ok) return { ok: true, value: verdict.value as Run['result_data'], human: verdict.human };
  const wanted = isEnvelope ? 'output format' : 'output schema';
  const again = retryPrompt(verdict.errors, wanted, form);
  return { ok: false, errors: verdict.errors, prompt: goesOn ? again : wholePrompt(run, text, again) };
}

/**
 * Reads standard output in terminal form (LF is CR LF), and standard error. It reads in pieces, so that the daemon can
 * serve others in between.
 */
async function readOutput(paths: Paths, sessionId: string): Promise<{ stdout: string; stderr: string }> {
  const stdout: Buffer[] = [];
  const stderr: string[] = [];
  let bytes = 0;
  const reader = openJournal(paths.journalsDir, sessionId);
  const pieces = { pieceBytes: PIECE_BYTES, goesOn: () => bytes < MAX_OUTPUT_BYTES };
  await readInPieces(reader, pieces, (record) => {
    if (record.kind === 'out') {
      bytes += record.bytes.length;
      stdout.push(Buffer.from(record.bytes));
    } else if (record.kind === 'note' && record.name === 'stderr') stderr.push(textOf(record.data));
  });
  reader.close();
  return { stdout: Buffer.concat(stdout).toString('utf8'), stderr: stderr.join('') };
}

function textOf(data: unknown): string {
  const isText = typeof data === 'object' && data !== null && 'text' in data && typeof data.text === 'string';
  return isText ? String(data.text) : '';
}

/** Returns the instructions about the form of a run's result; null if the result is plain text. */
export function formInstructions(
  run: Pick<Run, 'id' | 'blueprint' | 'adapter' | 'output_format' | 'output_schema' | 'tool'>,
): string | null {
  if (run.tool !== undefined) return callInstructions(run.tool);
  if (run.output_format === 'envelope') return envelopeInstructions(run.blueprint ?? run.adapter, run.id);
  return run.output_schema === null ? null : schemaInstructions(run.output_schema);
}
