/** The dialog with all keys of the dashboard: those of the shown page, those that work everywhere, then all others. */
import * as Dialog from '@radix-ui/react-dialog';
import { useFocusBack } from '../browser/use-focus-back.js';
import { PAGES, type PageSpec } from './pages.js';

interface KeysDialogProps {
  /** Undefined if there is no page at the address. */
  readonly shown: PageSpec | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Keys that are pressed together or one after the other, and their effect. */
export type KeyRow = readonly [keys: readonly string[], effect: string];

/** The groups of keys, those of the shown page first. A page without keys of its own has no group. */
const groups = (shown: PageSpec | undefined): readonly (readonly [title: string, rows: readonly KeyRow[]])[] => [
  ...(shown && shown.keys.length > 0 ? [rowsOf(shown)] : []),
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'search everything, or start something new'],
      [['?'], 'show these keys'],
      ...PAGES.map(({ key, title }): KeyRow => [['g', key], `go to ${title}`]),
    ],
  ],
  ...PAGES.filter((page) => page !== shown && page.keys.length > 0).map(rowsOf),
];

const rowsOf = ({ title, keys }: PageSpec) => [title, keys] as const;

export function KeysDialog({ shown, isOpen, onClose }: KeysDialogProps) {
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog keys-dialog" aria-describedby={undefined} {...focusBack}>
          <Dialog.Title>Keys</Dialog.Title>
          {groups(shown).map(([title, rows]) => (
            <section key={title}>
              <h2>{title}</h2>
              <dl className="keys">
                {rows.map(([keys, effect]) => (
                  <div key={effect}>
                    <dt>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{effect}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <Dialog.Close className="button">Close</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
