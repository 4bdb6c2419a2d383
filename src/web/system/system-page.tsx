/** The daemon: its health, its use of resources, and the browsers that may use it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { bytesText, type DaemonMetricsOutput, healthOf, type OutputOf } from '../../protocol/index.js';
import { useLive, useOperation } from '../live/live.js';
import { useSettled } from '../live/use-settled.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';
import { TextWithCode } from '../text/text-with-code.js';
import { Agents } from './agents.js';
import { BarChart, LineChart } from './charts.js';
import { Configuration } from './configuration.js';
import { Devices } from './devices.js';
import { barsOf, rates, type Sample, sampleOf, samplesOf } from './samples.js';
import '../styles/system.css';

const BEAT_MS = 2_000;
/** Number of samples in five minutes. */
const MAX_SAMPLES = 150;

export default function SystemPage() {
  const { device } = useLive();
  const { metrics, samples, error } = useMetrics();
  const { data: status } = useStatus();
  const isSettled = useSettled();
  return (
    <>
      <header className="page-head">
        <h1>System</h1>
      </header>
      <div className="page-body">
        <div className="system" data-settling={!isSettled}>
          {error && <ErrorNote error={error} />}
          {status ? <Health status={status} /> : <p className="notice">Reading its state…</p>}
          <section className="charts" aria-label="The daemon while this page is open">
            <LineChart
              title="CPU of the daemon"
              points={rates(samples, ({ cpuSeconds }) => cpuSeconds * 100)}
              format={(value) => `${value.toFixed(1)} %`}
              leastTop={10}
            />
            <LineChart
              title="Memory of the daemon"
              points={samples.map(({ at, memoryBytes }) => ({ at, value: memoryBytes }))}
              format={bytesText}
              leastTop={50_000_000}
            />
            <LineChart
              title="Events"
              points={rates(samples, ({ events }) => events)}
              format={(value) => `${value.toFixed(1)} / s`}
              leastTop={5}
            />
            <LineChart
              title="Turn of the event loop"
              points={samples.map(({ at, lagMs }) => ({ at, value: lagMs }))}
              format={(value) => `${value.toFixed(1)} ms`}
              leastTop={10}
            />
          </section>
          {metrics && <Counts metrics={metrics} />}
          {status && <Journals status={status} />}
          {status && <Facts status={status} />}
          <Configuration />
          {device.role === 'all' && <Devices />}
          {device.role === 'all' && <Agents />}
        </div>
      </div>
    </>
  );
}

/** Requests the metrics periodically while the page is visible. */
function useMetrics() {
  const { api } = useLive();
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const { data, error, dataUpdatedAt } = useQuery<DaemonMetricsOutput>({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => api.call('daemon.metrics', {}, signal),
    refetchInterval: BEAT_MS,
  });
  const taken = useRef(0);
  useEffect(() => {
    if (!data || dataUpdatedAt === taken.current) return;
    taken.current = dataUpdatedAt;
    setSamples((before) => [...before, sampleOf(data, dataUpdatedAt)].slice(-MAX_SAMPLES));
  }, [data, dataUpdatedAt]);
  return { metrics: data, samples, error };
}

function useStatus() {
  const { api } = useLive();
  return useQuery<OutputOf<'daemon.status'>>({
    queryKey: ['status', 'each'],
    queryFn: ({ signal }) => api.call('daemon.status', {}, signal),
    refetchInterval: BEAT_MS,
  });
}

type Status = OutputOf<'daemon.status'>;

function Health({ status }: { readonly status: Status }) {
  const findings = healthOf(status);
  const { catching_up } = status;
  if (findings.length === 0 && !catching_up) return <p className="notice good">All is well.</p>;
  return (
    <ul className="findings">
      {findings.map(({ state, words }) => (
        <li key={words} className={`notice ${state === 'problem' ? 'bad' : 'warn'}`}>
          <span>
            <TextWithCode text={line(words, 600)} />
          </span>
        </li>
      ))}
      {catching_up && (
        <li className="notice warn">
          It reads what {catching_up.sessions} sessions have printed: {bytesText(catching_up.bytes)} to go.
        </li>
      )}
    </ul>
  );
}

function Counts({ metrics }: { readonly metrics: DaemonMetricsOutput }) {
  const states = samplesOf(metrics, 'orchd_sessions')
    .map(({ labels, value }) => ({ label: String(labels['state']), count: value ?? 0 }))
    .filter(({ count }) => count > 0);
  const open = samplesOf(metrics, 'orchd_items')
    .filter(({ labels, value }) => labels['state'] === 'open' && (value ?? 0) > 0)
    .map(({ labels, value }) => ({
      label: String(labels['type']).toLowerCase().replaceAll('_', ' '),
      count: value ?? 0,
    }));
  return (
    <section className="charts" aria-label="Counts">
      <BarChart title="Running sessions by state" bars={states} empty="Nothing runs." />
      <BarChart title="Open questions" bars={open} empty="No open questions." />
      <BarChart
        title="From a question to its answer"
        bars={barsOf(samplesOf(metrics, 'orchd_answer_seconds'))}
        empty="Nothing was answered since the daemon started."
      />
      <BarChart
        title="From what was printed to the inbox"
        bars={barsOf(samplesOf(metrics, 'orchd_notice_seconds'))}
        empty="Nothing was asked since the daemon started."
      />
    </section>
  );
}

const MAX_JOURNALS = 8;

/** The sessions that print most. */
function Journals({ status: { journals = [] } }: { readonly status: Status }) {
  const sessions = useOperation(['sessions'], 'session.list', {}).data;
  const names = new Map(sessions?.map(({ id, name }) => [id, name]));
  const ended = new Set(sessions?.flatMap(({ id, ended_at }) => (ended_at === null ? [] : [id])));
  const most = journals
    .filter(({ session_id }) => !ended.has(session_id))
    .toSorted((a, b) => b.bytes_per_second - a.bytes_per_second || b.bytes - a.bytes)
    .slice(0, MAX_JOURNALS);
  if (most.length === 0) return null;
  return (
    <section className="system-part" aria-label="Sessions that print most">
      <h2>Sessions that print most</h2>
      <ul className="devices">
        {most.map(({ session_id, bytes, bytes_per_second }) => (
          <li key={session_id}>
            <Link className="grow cut" href={`/sessions/${session_id}`}>
              {line(names.get(session_id) ?? session_id, 60)}
            </Link>
            <span className="soft">{bytesText(bytes)}</span>
            <span className="muted">{bytesText(bytes_per_second)} / s</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Facts({ status }: { readonly status: Status }) {
  const { daemon, host, socket, url, home, disk, last_seq } = status;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [
      'Daemon',
      `version ${daemon.version}, process ${daemon.pid}, since ${new Date(daemon.started_at).toLocaleString()}`,
    ],
    ['Host', `version ${host.version}, process ${host.pid}, since ${new Date(host.started_at).toLocaleString()}`],
    ['Address', url],
    ['Socket', socket],
    ['Home', home],
    ['Disk', disk && `${bytesText(disk.free_bytes)} free; sessions are paused below ${bytesText(disk.floor_bytes)}`],
    ['Events', String(last_seq)],
  ];
  return (
    <section className="system-part" aria-label="Facts">
      <h2>The processes</h2>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value != null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="mono">{line(value, 400)}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
