/**
 * What a program that follows a session's output is sent: every byte, in order; from the journal when it is behind, or goes on where
 * an earlier stream ended. That may be beyond what this daemon has heard yet: then nothing is sent until it is passed.
 */
import { type JournalReader, type OutRecord, openJournal } from '../../host/index.js';
import { type Feed, type FeedPorts, sendControl, sendExit } from './feed.js';

/** As much as waits in the socket before the rest is left in the journal. */
const MAX_QUEUED_BYTES = 256 * 1024;

export function createStreamFeed({ socket, entry, from, begin, tellsPositions, journals }: FeedPorts): Feed {
  /** Where the client is in the journal, and how far the journal is known to reach. */
  let position = begin;
  let known = from;
  let reader: JournalReader | null = null;
  let hasEnded = false;

  const hasRoom = () => socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_QUEUED_BYTES;

  function tell(at: number): void {
    if (tellsPositions) sendControl(socket, { type: 'position', position: at });
  }

  function send({ bytes, bytesPosition }: OutRecord): void {
    tell(bytesPosition);
    socket.send(Buffer.from(bytes), () => {
      if (position < known) catchUp();
    });
  }

  /** Reads what the client has not had; called again when the socket has sent something. */
  function catchUp(): void {
    if (!hasRoom()) return;
    reader ??= openJournal(journals, entry.id, { from: position });
    reader.read(known, (record) => {
      position = record.end;
      if (record.kind === 'out') send(record);
      return hasRoom();
    });
    position = Math.max(position, reader.position);
    if (position < known) return;
    reader.close();
    reader = null;
    if (hasEnded) sendExit(socket, entry);
  }

  tell(position);
  if (position < known) catchUp();
  return {
    take(record) {
      known = record.end;
      if (known <= position) return; // the client had it of the daemon before
      if (reader || position !== record.position || !hasRoom()) return catchUp();
      position = record.end;
      if (record.kind === 'out') send(record);
    },
    end() {
      hasEnded = true;
      if (position >= known) sendExit(socket, entry);
      else catchUp();
      return Promise.resolve();
    },
    close: () => reader?.close(),
  };
}
