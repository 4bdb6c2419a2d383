/**
 * Keys of a page. Names of keys with several letters are in lower case. Keys do nothing while the person types,
 * together with Ctrl, Alt or Meta, or while a dialog is open. Enter and Space press the control that has the focus,
 * unless the person has moved in a list since that control got it.
 */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Types of `input` into which nothing is typed. */
const TICKED = 'input[type="checkbox"], input[type="radio"]';
const CONTROL = `a[href], button, summary, ${TICKED}`;
const PRESSES: ReadonlySet<string> = new Set(['enter', ' ']);
/** Keys that choose another entry of a list. */
const STEPS: ReadonlySet<string> = new Set(['j', 'k', 'arrowdown', 'arrowup']);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !target.matches(`${TICKED}, input[type="range"]`);

const isControl = (target: EventTarget | null): boolean => target instanceof HTMLElement && target.matches(CONTROL);

/** Returns the keys that choose the next and the previous entry of a list. */
export const stepKeys = (step: (by: number) => void): Keys => ({
  j: () => step(1),
  arrowdown: () => step(1),
  k: () => step(-1),
  arrowup: () => step(-1),
});

/** Returns the entry `by` places behind the one at `at`, or at the end of the list; the first one if `at` is -1. */
export const stepped = <T>(list: readonly T[], at: number, by: number): T | undefined =>
  list[at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.length - 1)];

/**
 * Keys of a list whose chosen entry is an address of the page, with further keys of the page.
 *
 * @param ids  The entries in their order.
 * @param shown  The entry that is shown; '' for none.
 * @param hrefOf  Returns the address of an entry; of the list alone for ''.
 */
export function useListKeys(
  ids: readonly string[],
  shown: string,
  hrefOf: (id: string) => string,
  more: Keys = {},
): void {
  const [, go] = useLocation();
  const step = (by: number): void => {
    const next = stepped(ids, ids.indexOf(shown), by);
    if (next !== undefined) go(hrefOf(next), { replace: shown !== '' });
  };
  useKeys({ ...stepKeys(step), escape: () => go(hrefOf('')), ...more });
}

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let hasStepped = false;
    const onFocus = (): void => {
      hasStepped = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const key = event.key.length === 1 ? event.key : event.key.toLowerCase();
      const act = latest.current[key];
      if (!act || (PRESSES.has(key) && !hasStepped && isControl(event.target))) return;
      event.preventDefault();
      act(event);
      if (STEPS.has(key)) hasStepped = true;
    };
    addEventListener('keydown', onKey);
    addEventListener('focusin', onFocus);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('focusin', onFocus);
    };
  }, []);
}
