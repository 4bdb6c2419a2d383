/**
 * The transcripts of all sessions: which ones are followed and when, and how their items get into the journals.
 *
 * A session's transcript is followed after its journal was read to its end, because only then is the last position
 * known. It is followed until its program ends, and the rest is read before the session is released.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HostClient, HostCommands } from '../../host/index.js';
import { OrchdError, type Paths } from '../../protocol/index.js';
import type { Log } from '../log.js';
import { readBeginning, type SessionEntry } from '../registry/index.js';
import { FolderWatches } from './folder-watches.js';
import { Follower } from './follower.js';
import { TRANSCRIPT_NOTE, type TranscriptNote } from './transcript-note.js';

interface TranscriptsPorts {
  readonly now: () => number;
  readonly paths: Paths;
  readonly host: () => HostClient;
  readonly log: Log;
}

/** Interval for trying again while the journal cannot be written: its disk is full, or its host is being replaced. */
const RETRY_MS = 500;

/** Follows the transcripts of all living sessions. */
export class Transcripts {
  readonly #ports: TranscriptsPorts;
  readonly #watches = new FolderWatches();
  readonly #claimed = new Set<string>();
  readonly #followers = new Map<string, Promise<Follower | null>>();
  /** The followers that have begun. */
  readonly #begun = new Map<string, Follower>();
  readonly #ended = new Set<string>();
  #isClosed = false;

  constructor(ports: TranscriptsPorts) {
    this.#ports = ports;
  }

  /** Begins to follow a session's transcript, if its agent has one. Its journal must have been read to its end. */
  follow(entry: SessionEntry): Promise<Follower | null> {
    const known = this.#followers.get(entry.id);
    if (known) return known;
    const opening = this.#open(entry).catch((error: unknown) => {
      this.#ports.log.error('a transcript cannot be followed', error, { session_id: entry.id });
      return null;
    });
    this.#followers.set(entry.id, opening);
    return opening;
  }

  /** Called when the program has printed something. */
  nudge(entry: SessionEntry): void {
    this.#begun.get(entry.id)?.nudge();
  }

  /** Called when the agent becomes idle: a lost transcript may continue in another file. */
  rested(entry: SessionEntry): void {
    if (entry.hearing?.isTranscriptLost()) this.#begun.get(entry.id)?.lookForNext();
  }

  /** Called when the program has ended. Resolves when the rest of its transcript is in the journal. */
  async finish(entry: SessionEntry): Promise<void> {
    const follower = await this.follow(entry);
    await follower?.finish().catch((error: unknown) => {
      this.#ports.log.error('the end of a transcript could not be read', error, { session_id: entry.id });
    });
    this.#followers.delete(entry.id);
    this.#begun.delete(entry.id);
  }

  /** Ends the reading without reading the rest. */
  async drop(entry: SessionEntry): Promise<void> {
    this.#ended.add(entry.id);
    const follower = await this.#followers.get(entry.id);
    follower?.close();
    this.#followers.delete(entry.id);
    this.#begun.delete(entry.id);
    this.#ended.delete(entry.id);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const opening of this.#followers.values()) (await opening)?.close();
    this.#watches.close();
  }

  async #open(entry: SessionEntry): Promise<Follower | null> {
    const { adapterNamed, feedOf } = await import('../../session/index.js');
    const traits = adapterNamed(entry.view.adapter)?.transcript;
    const { hearing } = entry;
    if (!traits || !hearing || this.#isClosed) return null;
    const { journalsDir } = this.#ports.paths;
    const agent = readBeginning(journalsDir, entry.id, entry.start.position)?.note.agent;
    if (!agent) return null;
    const { cwd, command, pid } = entry.view;
    const argv = agent.argv ?? command;
    const follower = new Follower({
      traits,
      about: { argv, env: agent.env, cwd, dir: agent.dir, agentSessionId: agent.sessionId },
      feed: feedOf(agent.dir),
      pid,
      startedAt: agent.startedAt,
      places: hearing.transcriptPlaces() ?? agent.places,
      watches: this.#watches,
      now: this.#ports.now,
      monotonicNow: entry.monotonicNow,
      claimed: this.#claimed,
      lacks: (prompt) => hearing.lacks(prompt),
      submit: (note) => this.#submit(entry, note),
      log: this.#ports.log,
    });
    this.#begun.set(entry.id, follower);
    return follower;
  }

  async #submit(entry: SessionEntry, note: TranscriptNote): Promise<void> {
    const input: HostCommands['note']['in'] = { sessionId: entry.id, name: TRANSCRIPT_NOTE, data: note };
    for (;;) {
      try {
        const { position } = await this.#ports.host().call('note', input);
        entry.reader?.grew(position);
        return;
      } catch (error) {
        const isFull = error instanceof OrchdError && error.code === 'ORCHD_STORE_FULL';
        if (!isFull || this.#isClosed || this.#ended.has(entry.id)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}
