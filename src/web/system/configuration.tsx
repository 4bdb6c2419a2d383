/** The configuration in force: each option, its value, and where that comes from. */
import { useState } from 'react';
import type { Setting } from '../../protocol/index.js';
import { useOperation } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { line } from '../text/label-text.js';
import '../parts/split.css';

export function Configuration() {
  const { data, error, refetch } = useOperation(['status'], 'daemon.configuration', {});
  const [isWhole, setWhole] = useState(false);
  const settings = data?.settings ?? [];
  const changed = settings.filter(({ origin }) => origin !== 'default');
  const shown = isWhole ? settings : changed;
  return (
    <section className="system-part" aria-label="Configuration">
      <div className="part-title">
        <h2 className="grow">Configuration</h2>
        <button type="button" className="button" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Only what is set' : `All ${settings.length} options`}
        </button>
      </div>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data && shown.length === 0 && (
        <p className="muted">
          Every option has its default. <code>orchd config --default</code> prints a file to begin with, for{' '}
          <code>{line(data.file, 400)}</code>.
        </p>
      )}
      {shown.length > 0 && (
        <ScrollRegion className="settings" label="Options">
          <table>
            <thead>
              <tr>
                <th scope="col">Option</th>
                <th scope="col">Value</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((setting) => (
                <Row key={setting.name} setting={setting} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}

function Row({
  setting: { name, value, default: byDefault, doc, origin, line: at, secret },
}: {
  readonly setting: Setting;
}) {
  return (
    <tr>
      <th scope="row">
        <span className="mono">{name}</span>
        <span className="muted small">{line(doc, 400)}</span>
      </th>
      <td className="mono">
        {secret ? <span className="muted">set, not shown</span> : line(JSON.stringify(value), 200)}
        {!secret && origin !== 'default' && value !== byDefault && (
          <span className="muted small"> default {line(JSON.stringify(byDefault), 80)}</span>
        )}
      </td>
      <td className={origin === 'default' ? 'muted' : ''}>
        {at === null ? line(origin, 200) : `${line(origin, 200)}:${at}`}
      </td>
    </tr>
  );
}
