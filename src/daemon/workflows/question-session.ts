/**
 * The session for a workflow's questions: it has the workflow's name and never had a program. It is created with the
 * first question, with a journal that explains it, so that it is shown, kept and removed like any other session.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type JournalEntry, JournalWriter } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { newSession, type Paths, type Session } from '../../protocol/index.js';
import type { Head } from '../../workflow/index.js';
import { type EntryPorts, newRecord, type Registry, SessionEntry, type SessionNote } from '../registry/index.js';

export interface QuestionSessionPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly entryPorts: EntryPorts;
  readonly now: () => number;
}

type About = Pick<Head, 'id' | 'name' | 'cwd' | 'parentSessionId'>;

const SIZE = { cols: 80, rows: 24 };
const EXIT = { exitCode: 0, signal: null, leftOpen: false, escaped: [] } as const;

export class QuestionSessions {
  readonly #ports: QuestionSessionPorts;
  readonly #opening = new Map<string, Promise<SessionEntry>>();

  constructor(ports: QuestionSessionPorts) {
    this.#ports = ports;
  }

  /** Returns the session, creating it once. */
  of(about: About): Promise<SessionEntry> {
    const { registry } = this.#ports;
    const known = [...registry.entries].find(({ view }) => view.workflow_id === about.id);
    if (known) return Promise.resolve(known);
    const opening = this.#opening.get(about.id) ?? this.#open(about).finally(() => this.#opening.delete(about.id));
    this.#opening.set(about.id, opening);
    return opening;
  }

  async #open({ id: workflowId, name: wanted, cwd, parentSessionId }: About): Promise<SessionEntry> {
    const { registry, entryPorts, now } = this.#ports;
    const name = registry.freeName(undefined, wanted, true);
    const release = registry.reserve(name);
    const time = now();
    const id = this.#ports.registry.newId();
    const common = { name, adapter: 'shell', command: ['orchd', 'workflow', 'show', workflowId], cwd, pid: 0 };
    const session: Session = {
      ...newSession({ id, ...common, size: SIZE, key_required: false, created_at: timestamp(time), mode: 'batch' }),
      parent_session_id: parentSessionId,
      workflow_id: workflowId,
    };
    try {
      const position = this.#write(session, time);
      const entry = new SessionEntry(newRecord(session, '', 0), entryPorts);
      const event = {
        event_type: 'session_started',
        timestamp: session.created_at,
        session_id: id,
        ...common,
        size: SIZE,
        key_required: false,
        parent_session_id: parentSessionId,
        mode: 'batch',
        workflow_id: workflowId,
      };
      const findings = [{ ...EXIT, kind: 'exited' as const, at: position, time }];
      const cursor = { sessionId: id, position, checkpoint: null };
      await entry.announceWhole(event, findings, cursor, () => registry.add(entry));
      return entry;
    } finally {
      release();
    }
  }

  /** Writes the journal, whose text explains the session to a person who opens it. */
  #write({ id, name, adapter, command, cwd, parent_session_id, workflow_id }: Session, time: number): number {
    const directory = join(this.#ports.paths.journalsDir, id);
    if (existsSync(directory)) rmSync(directory, { recursive: true });
    const writer = new JournalWriter({ directory, now: () => time });
    const note: SessionNote = {
      name,
      adapter,
      parent: parent_session_id,
      tokenHash: '',
      scrollbackLines: 0,
      keyRequired: false,
      command,
      mode: 'batch',
    };
    const text =
      `The questions of workflow run ${workflow_id} are asked here; \`orchd workflow show ${workflow_id}\` ` +
      'shows it.\r\n';
    const entries: JournalEntry[] = [
      { kind: 'start', sessionId: id, command, cwd, pid: 0, ...SIZE },
      { kind: 'note', name: 'session', data: note },
      { kind: 'out', bytes: Buffer.from(text) },
    ];
    for (const entry of entries) writer.append(entry);
    writer.append({ kind: 'exit', ...EXIT });
    writer.close();
    return writer.position;
  }
}
