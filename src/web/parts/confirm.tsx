/** Asks before something ends or is removed. The button that does it says what it does. */
import * as Dialog from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';

interface ConfirmProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** The words of the button. */
  readonly act: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ isOpen, title, children, act, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" role="alertdialog">
          <Dialog.Title>{title}</Dialog.Title>
          <Dialog.Description asChild>
            <div className="soft confirm-words">{children}</div>
          </Dialog.Description>
          <div className="row dialog-buttons">
            <Dialog.Close className="button">Cancel</Dialog.Close>
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
