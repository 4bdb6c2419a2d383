/** A button that asks once more before it acts. */
import { useState } from 'react';

interface ConfirmButtonProps {
  readonly label: string;
  /** The second button, which acts. */
  readonly confirm: string;
  /** The button that does not act. */
  readonly keep: string;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

export function ConfirmButton({ label, confirm, keep, isDisabled = false, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <button type="button" className="button" disabled={isDisabled} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  const act = (): void => {
    setAsking(false);
    onConfirm();
  };
  return (
    <span className="row">
      <button type="button" className="button danger" disabled={isDisabled} onClick={act} ref={focusOnce}>
        {confirm}
      </button>
      <button type="button" className="button quiet" onClick={() => setAsking(false)}>
        {keep}
      </button>
    </span>
  );
}

const focusOnce = (button: HTMLButtonElement | null): void => button?.focus();
