/** The browsers that may use the dashboard. A browser with the role `all` may sign out each of them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebDevice } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { Age } from '../parts/age.js';
import { Confirm } from '../parts/confirm.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

const ROLE_WORDS = { read: 'may read', answer: 'may answer', all: 'may do everything' } as const;
const KEY = ['devices'];

export function Devices() {
  const { api, device: own } = useLive();
  const queries = useQueryClient();
  const { data, error } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => api.call('web.list', {}, signal) });
  const [asked, setAsked] = useState<WebDevice | null>(null);
  const revoke = useMutation({
    mutationFn: ({ id }: WebDevice) => api.call('web.revoke', { device: id }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <section className="system-part" aria-label="Browsers">
      <h2>Browsers</h2>
      {error && <ErrorNote error={error} />}
      {revoke.error && <ErrorNote error={revoke.error} />}
      <ul className="devices">
        {data?.map((device) => (
          <li key={device.id}>
            <span className="grow cut">
              {device.name === '' ? 'Without a name' : line(device.name, 40)}
              {device.id === own.id && <span className="pill">this one</span>}
            </span>
            <span className="soft">{ROLE_WORDS[device.role]}</span>
            <span className="muted">
              used <Age since={device.last_seen_at} />
            </span>
            {device.id !== own.id && (
              <button type="button" className="button quiet danger" onClick={() => setAsked(device)}>
                Sign out<span className="hidden-visually"> {line(device.name, 40) || device.id}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <p className="muted">
        Another browser enters with a link of its own: <code>orchd web --qr --role answer --name phone</code>
      </p>
      <Confirm
        isOpen={asked !== null}
        title={`Sign out ${asked && asked.name !== '' ? line(asked.name, 40) : 'this browser'}?`}
        act="Sign out"
        keep="Keep it signed in"
        onConfirm={() => asked && revoke.mutate(asked)}
        onClose={() => setAsked(null)}
      >
        <p>It is out at once, and needs a new link to enter again.</p>
      </Confirm>
    </section>
  );
}
