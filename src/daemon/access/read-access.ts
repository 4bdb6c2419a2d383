/**
 * Limits what a program inside of a session may read: itself, the sessions that it started, and the run, task and
 * workflow that it works for. With `sessions.read_others` a person allows it to read all sessions. Acting on others is
 * checked in auth.ts.
 */
import { type InputOf, OPERATIONS, type OperationEntry, type OperationName, OrchdError } from '../../protocol/index.js';
import { type EventLine, parseLine } from '../../store/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { Tasks } from '../tasks/index.js';
import type { Workflows } from '../workflows/index.js';

export interface ReadAccessPorts {
  readonly registry: Registry;
  readonly runs: Pick<Runs, 'collection'>;
  readonly tasks: Pick<Tasks, 'show'>;
  readonly workflows: Pick<Workflows, 'show'>;
  /** Setting `sessions.read_others`. */
  readonly readOthers: boolean;
}

/** @throws {OrchdError} ORCHD_FORBIDDEN if the caller may not read what the input names. */
export function requireReadAccess(
  ports: ReadAccessPorts,
  caller: SessionEntry | null,
  name: OperationName,
  input: object,
): void {
  if (!caller || ports.readOthers || (OPERATIONS[name] as OperationEntry).reads !== 'named') return;
  // `reads` is `named`, so the input names one of these.
  const { session, item, run, task, workflow } = input as Readonly<Record<string, string | undefined>>;
  const isReadable =
    session !== undefined
      ? ports.registry.isWithin(ports.registry.session(session), caller)
      : item !== undefined
        ? mayRead(ports, caller, ports.registry.item(item).item)
        : mayRead(ports, caller, {
            ...(run !== undefined && { run_id: ports.runs.collection.show(run).id }),
            ...(task !== undefined && { task_id: ports.tasks.show(task).id }),
            ...(workflow !== undefined && { workflow_id: ports.workflows.show(workflow).id }),
          });
  if (isReadable) return;
  const why = 'it may read only itself and sessions that it started (`sessions.read_others` allows more)';
  throw new OrchdError('ORCHD_FORBIDDEN', `you are inside session '${caller.view.name}': ${why}`);
}

/** Returns the part of a result that the caller may read. */
export function readablePart(
  ports: ReadAccessPorts,
  caller: SessionEntry | null,
  name: OperationName,
  output: unknown,
): unknown {
  const { reads, entryId }: OperationEntry = OPERATIONS[name];
  if (!caller || ports.readOthers || reads !== 'entries' || !Array.isArray(output)) return output;
  return output.filter((one: { readonly id: string }) =>
    mayRead(ports, caller, entryId === undefined ? one : { [entryId]: one.id }),
  );
}

/** Returns a predicate for the events that the caller may read. Undefined if the caller may read all events. */
export function readableEvents(
  ports: ReadAccessPorts,
  caller: SessionEntry | null,
  { session }: Pick<InputOf<'event.list'>, 'session'>,
): ((line: EventLine) => boolean) | undefined {
  if (!caller || ports.readOthers) return undefined;
  // The request selects one session, which was already checked, so the events need no check.
  if (session !== undefined) {
    const isReadable = ports.registry.isWithin(ports.registry.session(session), caller);
    return isReadable ? undefined : () => false;
  }
  return (line) => {
    const event = parseLine(line);
    return event.event_type === 'gap' || mayRead(ports, caller, event);
  };
}

function mayRead(ports: ReadAccessPorts, caller: SessionEntry, about: object): boolean {
  const { session_id, parent_session_id, run_id, task_id, workflow_id } = about as Readonly<Record<string, unknown>>;
  const isWithin = (id: unknown): boolean => {
    const entry = typeof id === 'string' ? ports.registry.get(id) : undefined;
    return entry !== undefined && ports.registry.isWithin(entry, caller);
  };
  if (isWithin(session_id) || isWithin(parent_session_id)) return true;
  const own =
    caller.view.run_id === undefined ? null : found(() => ports.runs.collection.show(caller.view.run_id ?? ''));
  const works = [own?.id, own?.task_id, own?.workflow_id].filter((id) => id !== undefined);
  if ([run_id, task_id, workflow_id].some((id) => typeof id === 'string' && works.includes(id))) return true;
  const parents = [
    typeof run_id === 'string' ? found(() => ports.runs.collection.show(run_id)) : null,
    typeof task_id === 'string' ? found(() => ports.tasks.show(task_id)) : null,
    typeof workflow_id === 'string' ? found(() => ports.workflows.show(workflow_id)) : null,
  ];
  return parents.some(
    (one) => isWithin(one?.parent_session_id) || isWithin((one as { session_id?: unknown })?.session_id),
  );
}

/** Returns null if the object does not exist any more. */
function found<T>(show: () => T): T | null {
  try {
    return show();
  } catch {
    return null;
  }
}
