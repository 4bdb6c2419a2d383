/** The field of a project: its folder, chosen among the folders of the sessions or typed. */
import { useId, useState } from 'react';
import { useOperation } from '../live/live.js';

interface ProjectFieldProps {
  /** The project that is shown; '' for none. */
  readonly project: string;
  readonly placeholder: string;
  readonly onChoose: (path: string) => void;
}

export function ProjectField({ project, placeholder, onChoose }: ProjectFieldProps) {
  const [text, setText] = useState(project);
  const list = useId();
  const sessions = useOperation(['sessions'], 'session.list', {}).data ?? [];
  const folders = [...new Set(sessions.map(({ cwd }) => cwd))];
  return (
    <form
      className="list-filter row"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(text.trim());
      }}
    >
      <input
        className="field"
        aria-label="Project: an absolute folder"
        placeholder={placeholder}
        value={text}
        list={list}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={list}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <button type="submit" className="button" disabled={text.trim() === project}>
        Show
      </button>
    </form>
  );
}
