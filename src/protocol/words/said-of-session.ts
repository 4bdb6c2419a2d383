/** The fields of a session that a message changes, besides its state. Pure. The daemon and the TUI both apply it. */
import type { Message, Session } from '../generated/types.js';

/**
 * Returns the changed fields. A STATUS_UPDATE keeps the fields that it does not mention; a TASK_COMPLETE ends all
 * steps; an envelope says how much of its task is complete.
 */
export function saidOfSession(session: Session, { type, data }: Pick<Message, 'type' | 'data'>): Partial<Session> {
  switch (type) {
    case 'STATUS_UPDATE': {
      const { progress, currentStep, totalSteps, completedSteps } = data;
      return {
        progress: typeof progress === 'number' ? progress : session.progress,
        current_step: typeof currentStep === 'string' ? currentStep : session.current_step,
        ...(typeof totalSteps === 'number' && { total_steps: totalSteps }),
        ...(Array.isArray(completedSteps) && { completed_steps: completedSteps.map(String) }),
      };
    }
    case 'ERROR': {
      const { message, severity, file, recoverable } = data;
      return {
        last_error: {
          message: String(message),
          severity: typeof severity === 'string' ? severity : 'error',
          ...(typeof file === 'string' && { file }),
          ...(typeof recoverable === 'boolean' && { recoverable }),
        },
      };
    }
    case 'TASK_COMPLETE': {
      const { summary, filesChanged, commitHash } = data;
      return {
        ...{ progress: 100, current_step: null },
        ...(session.total_steps !== undefined && { total_steps: null }),
        ...(session.completed_steps !== undefined && { completed_steps: [] }),
        last_completion: {
          summary: String(summary),
          ...(Array.isArray(filesChanged) && { filesChanged: filesChanged.map(String) }),
          ...(typeof commitHash === 'string' && { commitHash }),
        },
      };
    }
    case 'OUTPUT':
      return { progress: progressOf(data, session.progress) };
    default:
      return {};
  }
}

/**
 * Returns the progress according to an envelope: its `completion_percentage`; without one, 100 for a success. Null for
 * a session that completed an earlier task and did not succeed now.
 */
function progressOf(
  { status, completion_percentage: own, metadata }: Message['data'],
  known: number | null,
): number | null {
  const inner =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'completion_percentage') : null;
  const percent = own ?? inner;
  if (typeof percent === 'number') return percent;
  if (status === 'success') return 100;
  return known === 100 ? null : known;
}

/** Returns the steps of a session in the form that `stepsWords` takes. */
export const stepsOfSession = ({ total_steps, completed_steps }: Pick<Session, 'total_steps' | 'completed_steps'>) => ({
  totalSteps: total_steps ?? undefined,
  completedSteps: completed_steps?.length === 0 && total_steps == null ? undefined : completed_steps,
});
