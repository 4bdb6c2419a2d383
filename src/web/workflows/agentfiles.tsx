/** The Agentfiles of a project. One that is chosen opens as a copy in the editor. */
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { bytesText } from '../../protocol/index.js';
import { ProjectField } from '../agents/project-field.js';
import { useSearchState } from '../browser/use-search-state.js';
import { useLive, useOperation } from '../live/live.js';
import { Age } from '../parts/age.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';
import { keepDraft } from './draft.js';

export function Agentfiles() {
  const { api } = useLive();
  const [, go] = useLocation();
  const [project, setProject] = useSearchState('project');
  const found = useOperation(['workflows', 'files'], 'workflow.files', { project }, project !== '');
  const open = useMutation({
    mutationFn: (file: string) => api.call('workflow.files', { project, file }),
    onSuccess: ({ files: [one] }) => {
      keepDraft(one?.agentfile ?? '');
      go(`/workflows/+new?${new URLSearchParams({ folder: project, file: one?.file ?? '' })}`);
    },
  });
  const files = project === '' ? [] : (found.data?.files ?? []);
  return (
    <>
      <ProjectField key={project} project={project} placeholder="/home/you/project" onChoose={setProject} />
      {found.error && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {open.error && <ErrorNote error={open.error} />}
      {project === '' && <p className="muted list-note">Choose the folder of a project to see its Agentfiles.</p>}
      {project !== '' && found.data && files.length === 0 && (
        <p className="muted list-note">No Agentfile is there. They are named Agentfile or *.agentfile.</p>
      )}
      <ul className="rows" aria-label="Agentfiles">
        {files.map(({ file, name, bytes, updated_at, problem }) => (
          <li key={file}>
            <button
              type="button"
              className="one-row row-button"
              disabled={problem !== null || open.isPending}
              onClick={() => open.mutate(file)}
            >
              <span className="one-row-text">
                <span className="row">
                  <span className="one-row-title cut grow">{line(file, 120)}</span>
                  {problem === null && <span className="one-row-note">{bytesText(bytes)}</span>}
                  {problem === null && <Age since={updated_at} />}
                </span>
                <span className={`one-row-note ${problem === null ? 'cut' : 'tone-warn'}`}>
                  {line(problem ?? name ?? '', 300)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.data?.more && <p className="muted list-note">There may be more: not all folders were searched.</p>}
    </>
  );
}
