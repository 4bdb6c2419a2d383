/** Loads the recording of a session, page by page. */
import { useCallback, useEffect, useState } from 'react';
import type { OutputOf } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { type Frame, framesOf } from './recording.js';

/** Maximum number of bytes that the page loads. `orchd export` has no limit. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Loaded {
  readonly frames: readonly Frame[];
  readonly isWhole: boolean;
  /** True if there is more than the page loads. */
  readonly isCut: boolean;
  readonly bytes: number;
  /** Parts that are missing, in words. */
  readonly missing: readonly string[];
  readonly error: Error | null;
}

const NOTHING: Loaded = { frames: [], isWhole: false, isCut: false, bytes: 0, missing: [], error: null };

/** @returns The recording, and a function that reloads it. */
export function useRecording(session: string): readonly [Loaded, () => void] {
  const { api } = useLive();
  const [wanted, setWanted] = useState({});
  const [loaded, setLoaded] = useState<Loaded>(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    void wanted; // A new value reloads the recording.
    const load = async (): Promise<void> => {
      let from: number | null = 0;
      let bytes = 0;
      const frames: Frame[] = [];
      const missing: string[] = [];
      while (from !== null && bytes < MAX_BYTES) {
        const page: OutputOf<'session.journal'> = await api.call('session.journal', { session, from }, gone.signal);
        for (const frame of framesOf(page.records)) {
          frames.push(frame);
          if (frame.kind === 'out') bytes += frame.bytes.length;
        }
        missing.push(...page.damaged.map((part) => `From ${part.from} to ${part.to}: ${part.detail}.`));
        from = page.next;
        setLoaded({ ...NOTHING, bytes });
      }
      setLoaded({ frames, isWhole: true, isCut: from !== null, bytes, missing, error: null });
    };
    load().catch((error: unknown) => {
      if (!gone.signal.aborted)
        setLoaded({ ...NOTHING, error: error instanceof Error ? error : new Error(String(error)) });
    });
    return () => gone.abort();
  }, [api, session, wanted]);
  return [loaded, useCallback(() => setWanted({}), [])];
}
