/** A dialog with one text: the name of a session, or its tags. */
import * as Dialog from '@radix-ui/react-dialog';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { Session } from '../../protocol/index.js';
import type { Api } from '../live/api.js';
import { useLive } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

export type Edited = 'name' | 'tags';

interface EditWords {
  readonly title: (name: string) => string;
  readonly label: string;
  readonly hint: string;
  readonly act: string;
  readonly textOf: (session: Session) => string;
  readonly save: (api: Api, session: Session, text: string) => Promise<unknown>;
}

const EDITS: Readonly<Record<Edited, EditWords>> = {
  name: {
    title: (name) => `Rename ${name}`,
    label: 'New name',
    hint: 'Letters, digits, “.”, “_” and “-”, at most 64.',
    act: 'Rename',
    textOf: ({ name }) => name,
    save: (api, { id }, name) => api.call('session.rename', { session: id, name }),
  },
  tags: {
    title: (name) => `Tags of ${name}`,
    label: 'Tags',
    hint: 'Words with blanks between them. The filter finds them.',
    act: 'Save',
    textOf: ({ tags = [] }) => tags.join(' '),
    save(api, { id, tags: before = [] }, text) {
      const after = text.split(/[\s,]+/).filter(Boolean);
      const add = after.filter((tag) => !before.includes(tag));
      const remove = before.filter((tag) => !after.includes(tag));
      return api.call('session.tag', { session: id, add, remove });
    },
  },
};

interface EditDialogProps {
  readonly session: Session;
  readonly edited: Edited;
  readonly onClose: () => void;
}

export function EditDialog({ session, edited, onClose }: EditDialogProps) {
  const { api } = useLive();
  const { title, label, hint, act, textOf, save: saved } = EDITS[edited];
  const [text, setText] = useState(() => textOf(session));
  const id = useId();
  const save = useMutation({ mutationFn: () => saved(api, session, text), onSuccess: onClose });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog.Root open onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title>{title(line(session.name, 60))}</Dialog.Title>
          <form className="form" onSubmit={submit}>
            <label htmlFor={id}>{label}</label>
            <input
              id={id}
              className="field"
              value={text}
              maxLength={1000}
              onChange={(event) => setText(event.target.value)}
            />
            <p className="muted">{hint}</p>
            {save.error && <ErrorNote error={save.error} />}
            <div className="row dialog-buttons">
              <Dialog.Close className="button">Cancel</Dialog.Close>
              <button type="submit" className="button primary" disabled={save.isPending}>
                {act}
              </button>
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
