import * as Dialog from '@radix-ui/react-dialog';
import { PAGES } from './pages.js';

interface KeysDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type Row = readonly [keys: readonly string[], effect: string];

const GROUPS: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    'Everywhere',
    [
      [['Ctrl', 'K'], 'search pages, sessions and questions'],
      [['?'], 'show these keys'],
      ...PAGES.map(({ key, title }): Row => [['g', key], `go to ${title}`]),
    ],
  ],
  [
    'Inbox',
    [
      [['j'], 'next question'],
      [['k'], 'previous question'],
      [['1'], 'choose option 1, up to 9'],
      [['a'], 'write an answer'],
      [['x'], 'decline'],
      [['Ctrl', 'Enter'], 'send the answer'],
      [['Esc'], 'back to the list'],
    ],
  ],
];

export function KeysDialog({ isOpen, onClose }: KeysDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title>Keys</Dialog.Title>
          {GROUPS.map(([title, rows]) => (
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
