/**
 * Keys of a page. Names of keys with several letters are in lower case. Keys do nothing while the person types,
 * together with Ctrl, Alt or Meta, or while a dialog is open.
 */
import { useEffect, useRef } from 'react';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const act = latest.current[event.key.length === 1 ? event.key : event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
