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
