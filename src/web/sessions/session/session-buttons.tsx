/** The buttons of a session: taking control, its recording, and the actions on it. */
import { useState } from 'react';
import { Link } from 'wouter';
import { isAlive, type Session } from '../../../protocol/index.js';
import { useTight } from '../../browser/use-narrow.js';
import { Icon } from '../../parts/icon.js';
import type { Edited } from '../edit-dialog.js';
import { restartWord, type SessionActs } from '../session-acts.js';

interface ButtonsProps {
  readonly session: Session;
  readonly acts: SessionActs;
  readonly canAct: boolean;
  readonly canControl: boolean;
  readonly isInControl: boolean;
  readonly onControl: (isInControl: boolean) => void;
  readonly onEdit: (edited: Edited) => void;
}

export function SessionButtons({ session, acts, canAct, canControl, isInControl, onControl, onEdit }: ButtonsProps) {
  const isLiving = isAlive(session);
  const isTight = useTight();
  const [isOpen, setOpen] = useState(false);
  const canRestart = session.mode !== 'batch' && session.imported !== true && session.workflow_id === undefined;
  return (
    <div className="row wraps">
      {canControl && <ControlButton isInControl={isInControl} onControl={onControl} />}
      <Link href={`/recordings/${session.id}`} className="button">
        <Icon name="play" /> Recording
      </Link>
      {canAct && isTight && (
        <button
          type="button"
          className="button quiet icon-button"
          aria-label="More actions"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" />
        </button>
      )}
      {canAct && (!isTight || isOpen) && (
        <>
          <button type="button" className="button quiet" title="Rename (r)" onClick={() => onEdit('name')}>
            Rename
          </button>
          <button type="button" className="button quiet" title="Tags (T)" onClick={() => onEdit('tags')}>
            Tags
          </button>
          {canRestart && (
            <button
              type="button"
              className="button quiet"
              title="Start again (R)"
              disabled={acts.isPending}
              onClick={() => acts.start('restart', [session])}
            >
              {restartWord(session)}
            </button>
          )}
          <button
            type="button"
            className="button quiet danger"
            title={isLiving ? 'End the program (K)' : 'Remove the session (X)'}
            disabled={acts.isPending}
            onClick={() => acts.start(isLiving ? 'kill' : 'remove', [session])}
          >
            {isLiving ? 'End' : 'Remove'}
          </button>
        </>
      )}
    </div>
  );
}

/** The button that switches between watching a session's terminal and controlling it. */
interface ControlButtonProps {
  readonly isInControl: boolean;
  readonly onControl: (isInControl: boolean) => void;
}

/** The button with which a person takes control of a session's terminal, and gives it back. */
export function ControlButton({ isInControl, onControl }: ControlButtonProps) {
  return (
    <button
      type="button"
      className={`button ${isInControl ? '' : 'primary'}`}
      aria-pressed={isInControl}
      onClick={() => onControl(!isInControl)}
    >
      {isInControl ? 'Give control back' : 'Take control'}
    </button>
  );
}
