/** The dialog with all keys of the dashboard: those that work everywhere, then those of each page. */
import * as Dialog from '@radix-ui/react-dialog';
import { useFocusBack } from '../browser/use-focus-back.js';
import { PAGES } from './pages.js';

interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Keys that are pressed together or one after the other, and their effect. */
export type KeyRow = readonly [keys: readonly string[], effect: string];

/** The groups of keys. A page without keys of its own has no group. */
const groups = (): readonly (readonly [title: string, rows: readonly KeyRow[]])[] => [
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'search pages, sessions and questions'],
      [['?'], 'show these keys'],
      ...PAGES.map(({ key, title }): KeyRow => [['g', key], `go to ${title}`]),
    ],
  ],
  ...PAGES.filter(({ keys }) => keys.length > 0).map(({ title, keys }) => [title, keys] as const),
];

export function KeysDialog({ isOpen, onClose }: KeysDialogProps) {
  const focusBack = useFocusBack();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined} {...focusBack}>
          <Dialog.Title>Keys</Dialog.Title>
          {groups().map(([title, rows]) => (
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
