/** For a dialog that is opened by a key or from another dialog: gives the focus back to where it was. */
import { useMemo, useRef } from 'react';

interface FocusBack {
  readonly onOpenAutoFocus: () => void;
  readonly onCloseAutoFocus: (event: Event) => void;
}

/** Returns properties of `Dialog.Content`. */
export function useFocusBack(): FocusBack {
  const before = useRef<Element | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus() {
        before.current = document.activeElement;
      },
      onCloseAutoFocus(event) {
        event.preventDefault();
        if (before.current instanceof HTMLElement) before.current.focus();
      },
    }),
    [],
  );
}
