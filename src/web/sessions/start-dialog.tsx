/** The form of a new session. */
import * as Dialog from '@radix-ui/react-dialog';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { type Session, splitCommand } from '../../protocol/index.js';
import { useLive, useOperation } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

interface StartDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onStarted: (session: Session) => void;
}

export function StartDialog({ isOpen, onClose, onStarted }: StartDialogProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <Dialog.Title>New session</Dialog.Title>
          <StartForm onStarted={onStarted} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const MAX_FOLDERS = 50;

function StartForm({ onStarted }: Pick<StartDialogProps, 'onStarted'>) {
  const { api } = useLive();
  const [command, setCommand] = useState('');
  const [cwd, setCwd] = useState('');
  const [name, setName] = useState('');
  const [isTaught, setTaught] = useState(false);
  const id = useId();
  const { command: words, needsShell, problem } = splitCommand(command);
  const start = useMutation({
    mutationFn: () =>
      api.call('session.start', {
        command: [...words],
        ...(cwd !== '' && { cwd }),
        ...(name !== '' && { name }),
        ...(isTaught && { teach: true }),
      }),
    onSuccess: onStarted,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null && !start.isPending) start.mutate();
  };
  return (
    <form className="form" onSubmit={submit}>
      <label htmlFor={`${id}-command`}>Command</label>
      <input
        id={`${id}-command`}
        className="field mono"
        placeholder="claude"
        value={command}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-command-note`}
        onChange={(event) => setCommand(event.target.value)}
      />
      <p className="muted" id={`${id}-command-note`}>
        {command !== '' && problem !== null
          ? problem
          : needsShell
            ? 'It is started as sh -c “…”.'
            : 'An agent or any other program. It gets the environment of a login, not that of your shell.'}
      </p>
      <FolderInput id={`${id}-folder`} value={cwd} onChange={setCwd} />
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className="field"
        placeholder="As the program"
        maxLength={64}
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
      <label className="row check">
        <input type="checkbox" checked={isTaught} onChange={(event) => setTaught(event.target.checked)} />
        Tell the agent how to ask you (agents that orchd knows)
      </label>
      {start.error && <ErrorNote error={start.error} />}
      <div className="row dialog-buttons">
        <Dialog.Close className="button">Cancel</Dialog.Close>
        <button type="submit" className="button primary" disabled={problem !== null || start.isPending}>
          {start.isPending ? 'Starting…' : 'Start'}
        </button>
      </div>
    </form>
  );
}

interface FolderInputProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (folder: string) => void;
}

/** The folder of the session. It suggests those of the other sessions. */
function FolderInput({ id, value, onChange }: FolderInputProps) {
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const folders = useMemo(() => [...new Set(sessions?.map(({ cwd }) => cwd))].slice(0, MAX_FOLDERS), [sessions]);
  return (
    <>
      <label htmlFor={id}>Folder</label>
      <input
        id={id}
        className="field mono"
        list={`${id}s`}
        placeholder="Your home folder"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}s`}>
        {folders.map((folder) => (
          <option key={folder} value={folder}>
            {line(folder, 200)}
          </option>
        ))}
      </datalist>
    </>
  );
}
