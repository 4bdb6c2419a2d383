/** One recording: play, pause, speed, seek, and the messages and answers as marks on its time. */
import { lazy, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { type Event, eventWords, isAlive, messageHeading, messageLine, type Session } from '../../protocol/index.js';
import { saveFile } from '../browser/save-file.js';
import { useKeys } from '../browser/use-keys.js';
import { useOperation } from '../live/live.js';
import { useEvents } from '../live/use-events.js';
import { useSettled } from '../live/use-settled.js';
import { Empty } from '../parts/empty.js';
import { ErrorNote, NotThere } from '../parts/error-note.js';
import { Icon } from '../parts/icon.js';
import { BackLink } from '../parts/split.js';
import { toneOf } from '../parts/state-pill.js';
import { line } from '../text/label-text.js';
import { markdownLine } from '../text/markdown-line.js';
import type { Player, PlayerState } from './player.js';
import { type Frame, frameAt, frameAtTime, toCast } from './recording.js';
import { type Loaded, useRecording } from './use-recording.js';

const PlayerScreen = lazy(() => import('./player-screen.js'));

export function RecordingPage({ id }: { readonly id: string }) {
  const { data: session, error, refetch } = useOperation(['session', id], 'session.show', { session: id });
  const [loaded, reload] = useRecording(id);
  const isSettled = useSettled(!loaded.isWhole && !loaded.error);
  const back = <BackLink href="/recordings" isAlways label="Back to the recordings" />;
  if (error && !session) {
    return (
      <>
        <header className="page-head">
          {back}
          <h1>Recording</h1>
        </header>
        <NotThere title="This recording is not there" error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  return (
    <div className="recording" data-settling={!isSettled}>
      <header className="page-head wraps">
        {back}
        <h1 className="cut">{session ? line(session.name, 80) : 'Recording'}</h1>
        {/* On a phone they take rows of their own, so they come together with the rest of the page. */}
        {session && isSettled && (
          <>
            <span className="muted">
              {loaded.isWhole ? sizeWords(loaded.bytes) : `Loading… ${sizeWords(loaded.bytes)}`}
            </span>
            <span className="grow" />
            {isAlive(session) && (
              <button type="button" className="button quiet" disabled={!loaded.isWhole} onClick={reload}>
                Load what came since
              </button>
            )}
            <Link href={`/sessions/${id}`} className="button">
              <Icon name="terminal" /> Session
            </Link>
          </>
        )}
      </header>
      {loaded.error && <ErrorNote error={loaded.error} onRetry={reload} />}
      {loaded.isCut && (
        <p className="notice warn">
          <span>
            Only the first {sizeWords(loaded.bytes)} are shown. <code>orchd export {id}</code> prints all of it.
          </span>
        </p>
      )}
      {loaded.missing.map((words) => (
        <p key={words} className="notice warn">
          A part of the recording is missing. {line(words, 300)}
        </p>
      ))}
      {loaded.isWhole && loaded.frames.length === 0 && (
        <Empty title="The recording is gone">It was removed to make room: retention is in the configuration.</Empty>
      )}
      {session && loaded.frames.length > 0 && <Played session={session} loaded={loaded} />}
    </div>
  );
}

const sizeWords = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

const MARKED = ['message', 'message_rejected', 'item_answered', 'answer_stalled'] as const;
const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;
const CUT_PAUSE_MS = 2_000;
const STEP_MS = 5_000;
const START: PlayerState = { timeMs: 0, durationMs: 0, isPlaying: false, speed: 1, position: 0 };

interface TimeMark {
  readonly event: Event;
  /** The frame at which the message is on the screen. */
  readonly frame: number;
  readonly word: string;
  readonly text: string;
  readonly tone: string;
}

function Played({ session, loaded: { frames } }: { readonly session: Session; readonly loaded: Loaded }) {
  const player = useRef<Player | null>(null);
  const [state, setState] = useState(START);
  const [isCutting, setCutting] = useState(true);
  const events = useEvents({ types: MARKED, session: session.id });
  const marks = useMemo(() => marksOf(events ?? [], frames), [events, frames]);
  const [path, go] = useLocation();
  const mostPauseMs = isCutting ? CUT_PAUSE_MS : Number.POSITIVE_INFINITY;

  const jump = useCallback(
    (frame: number): void => {
      const position = frames[frame]?.position;
      player.current?.pause();
      void player.current?.seek(player.current.timeOf(frame));
      if (position !== undefined) go(`${path}?at=${position}`, { replace: true });
    },
    [frames, go, path],
  );
  const askedFrame = useAskedMoment(player, frames);
  const onReady = (made: Player): void => {
    player.current = made;
    void made.seek(made.timeOf(askedFrame ?? firstOutput(frames)));
  };
  const acts = playerActs(player, state);
  const step = (by: number): void => {
    const current = frameAt(frames, state.position);
    const next = by > 0 ? marks.find(({ frame }) => frame > current) : marks.findLast(({ frame }) => frame < current);
    if (next) jump(next.frame);
  };
  useKeys({ ...acts.keys, n: () => step(1), p: () => step(-1), escape: () => go('/recordings') });
  const share = (): void => {
    const markers = marks.map(({ event, word, text }) => ({
      at: Date.parse(event.timestamp),
      label: `${word}: ${text}`,
    }));
    saveFile(`${session.name}.cast`, 'application/x-asciicast', toCast(session.name, frames, markers));
  };
  return (
    <div className="session-body">
      <div className="session-terminal">
        <Suspense fallback={<div className="live-terminal" aria-busy="true" />}>
          <PlayerScreen
            frames={frames}
            mostPauseMs={mostPauseMs}
            label={line(session.name, 60)}
            onReady={onReady}
            onChange={setState}
          />
        </Suspense>
        <section className="player" aria-label="Player">
          <Timeline state={state} marks={marks} player={player} onSeek={acts.seek} />
          <Controls
            state={state}
            at={frames[frameAt(frames, state.position)]?.at}
            isCutting={isCutting}
            onToggle={acts.toggle}
            onCut={setCutting}
            onSpeed={(speed) => player.current?.setSpeed(speed)}
            onShare={share}
          />
        </section>
      </div>
      <Moments
        marks={marks}
        isLoaded={events !== null}
        current={frameAt(frames, state.position)}
        timeOf={(frame) => player.current?.timeOf(frame) ?? 0}
        onJump={jump}
      />
    </div>
  );
}

/** Returns the frame that the address of the page names; null if it names none. The player follows the address. */
function useAskedMoment(player: RefObject<Player | null>, frames: Loaded['frames']): number | null {
  const at = new URLSearchParams(useSearch()).get('at');
  const frame = at !== null && /^\d+$/.test(at) ? frameAt(frames, Number(at)) : null;
  // A link to another message may be clicked while this page is already open.
  const shownAt = useRef(at);
  useEffect(() => {
    if (frame === null || at === shownAt.current) return;
    shownAt.current = at;
    const made = player.current;
    if (made) void made.seek(made.timeOf(frame));
  }, [at, frame, player]);
  return frame;
}

/** Returns what a person does with a player, and the keys for it. */
function playerActs(player: RefObject<Player | null>, { isPlaying, timeMs, durationMs, speed }: PlayerState) {
  const toggle = (): void => (isPlaying ? player.current?.pause() : player.current?.play());
  const seek = (toMs: number): void => void player.current?.seek(toMs);
  const change = (by: number): void => {
    const at = SPEEDS.findIndex((one) => one >= speed);
    player.current?.setSpeed(SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)] ?? 1);
  };
  const keys = {
    ' ': toggle,
    arrowleft: () => seek(timeMs - STEP_MS),
    arrowright: () => seek(timeMs + STEP_MS),
    home: () => seek(0),
    end: () => seek(durationMs),
    '>': () => change(1),
    '<': () => change(-1),
  };
  return { toggle, seek, keys };
}

interface ControlsProps {
  readonly state: PlayerState;
  /** When the shown frame was printed, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly isCutting: boolean;
  readonly onToggle: () => void;
  readonly onCut: (isCutting: boolean) => void;
  readonly onSpeed: (speed: number) => void;
  readonly onShare: () => void;
}

function Controls({ state, at, isCutting, onToggle, onCut, onSpeed, onShare }: ControlsProps) {
  return (
    <div className="row wraps">
      <button
        type="button"
        className="button primary icon-button"
        aria-label={state.isPlaying ? 'Pause' : 'Play'}
        title={`${state.isPlaying ? 'Pause' : 'Play'} (Space)`}
        onClick={onToggle}
      >
        <Icon name={state.isPlaying ? 'pause' : 'play'} />
      </button>
      <span className="player-time" data-position={state.position}>
        {clockWords(state.timeMs)} <span className="muted">/ {clockWords(state.durationMs)}</span>
      </span>
      {at !== undefined && <span className="muted">{new Date(at).toLocaleString()}</span>}
      <span className="grow" />
      <label className="row">
        <input type="checkbox" checked={isCutting} onChange={() => onCut(!isCutting)} />
        Cut pauses
      </label>
      <select
        className="field select"
        aria-label="Speed"
        value={state.speed}
        onChange={(event) => onSpeed(Number(event.target.value))}
      >
        {SPEEDS.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <button type="button" className="button" title="An asciicast, which players of recordings know" onClick={onShare}>
        Save as a file
      </button>
    </div>
  );
}

interface MomentsProps {
  readonly marks: readonly TimeMark[];
  /** False while the messages are being loaded. */
  readonly isLoaded: boolean;
  /** The shown frame. */
  readonly current: number;
  readonly timeOf: (frame: number) => number;
  readonly onJump: (frame: number) => void;
}

/** The messages and answers of the recording. A click shows the screen at its time. */
function Moments({ marks, isLoaded, current, timeOf, onJump }: MomentsProps) {
  return (
    <aside className="session-side" aria-label="Messages and answers">
      <h2>Messages and answers</h2>
      {isLoaded && marks.length === 0 && <p className="muted">The session has said nothing that orchd understands.</p>}
      <ol className="messages">
        {marks.map((mark) => (
          <li key={mark.event.seq}>
            <button
              type="button"
              className="moment"
              aria-current={current === mark.frame ? 'true' : undefined}
              onClick={() => onJump(mark.frame)}
            >
              <span className="row">
                <span className={`pill ${mark.tone}`}>{mark.word}</span>
                <span className="grow" />
                <span className="muted player-time">{clockWords(timeOf(mark.frame))}</span>
              </span>
              <span className="moment-text">{mark.text}</span>
            </button>
          </li>
        ))}
      </ol>
    </aside>
  );
}

interface TimelineProps {
  readonly state: PlayerState;
  readonly marks: readonly TimeMark[];
  readonly player: { readonly current: Player | null };
  readonly onSeek: (timeMs: number) => void;
}

function Timeline({ state: { timeMs, durationMs }, marks, player, onSeek }: TimelineProps) {
  return (
    <div className="timeline">
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={`${clockWords(timeMs)} of ${clockWords(durationMs)}`}
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step={1}
        value={Math.round(timeMs)}
        onChange={(event) => onSeek(Number(event.target.value))}
      />
      <div className="timeline-marks" aria-hidden="true">
        {marks.map(({ event, frame, tone, word }) => (
          <span
            key={event.seq}
            className={`timeline-mark ${tone}`}
            title={word}
            style={{ left: `${durationMs === 0 ? 0 : ((player.current?.timeOf(frame) ?? 0) / durationMs) * 100}%` }}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the first frame with output, so that a recording does not open with a blank screen. */
const firstOutput = (frames: readonly Frame[]): number =>
  Math.max(
    0,
    frames.findIndex(({ kind }) => kind === 'out'),
  );

/** Marks of messages are at the end of their bytes; marks of answers at the time of the answer. */
function marksOf(events: readonly Event[], frames: readonly Frame[]): TimeMark[] {
  const times = frames.length;
  if (times === 0) return [];
  return events.map((event): TimeMark => {
    const origin = 'origin' in event ? (event.origin as { readonly from: number; readonly to: number }) : null;
    const at = Date.parse(event.timestamp);
    const frame =
      origin && origin.to > 0 ? frameAt(frames, Math.max(origin.from, origin.to - 1)) : frameAtTime(frames, at);
    if (event.event_type === 'message') {
      const { style, text } = messageLine(event.message);
      const word = line(messageHeading(event.message), 40);
      return { event, frame, word, text: markdownLine(text, 200), tone: style === undefined ? '' : toneOf({ style }) };
    }
    const [word, tone] = event.event_type === 'item_answered' ? ['answer', 'tone-good'] : ['problem', 'tone-warn'];
    return { event, frame, word, text: markdownLine(eventWords(event)?.text ?? '', 200), tone };
  });
}

/** Formats a duration, such as `1:02` or `1:00:02`. */
function clockWords(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
