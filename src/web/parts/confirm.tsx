/** Asks before something ends or is removed. The button that does it says what it does. */
import * as Dialog from '@radix-ui/react-dialog';
import { type ReactNode, useState } from 'react';
import { useFocusBack } from '../browser/use-focus-back.js';

interface Question {
  readonly title: string;
  /** The text that explains the consequences. */
  readonly children: ReactNode;
  /** The words of the button that acts. */
  readonly act: string;
  /** The words of the button that does not. Default: `Keep it`. */
  readonly keep?: string;
  readonly onConfirm: () => void;
}

interface ConfirmProps extends Question {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function Confirm({ isOpen, title, children, act, keep = 'Keep it', onConfirm, onClose }: ConfirmProps) {
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" role="alertdialog" {...focusBack}>
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description asChild>
            <div className="soft confirm-words">{children}</div>
          </Dialog.Description>
          <div className="row dialog-buttons">
            <Dialog.Close className="button">{keep}</Dialog.Close>
            <button
              type="button"
              className="button primary danger-ground"
              onClick={() => {
                onClose();
                onConfirm();
              }}
            >
              {act}
            </button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ConfirmButtonProps extends Question {
  readonly label: string;
  readonly isDisabled?: boolean;
}

/** A button that asks before it acts. */
export function ConfirmButton({ label, isDisabled = false, ...question }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" disabled={isDisabled} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Confirm {...question} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
