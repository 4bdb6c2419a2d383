/** What a program that follows a session's output is sent: every byte, in order; from the journal when it is behind. */
import { type JournalReader, openJournal } from '../../host/index.js';
import { type Feed, type FeedPorts, sendExit } from './feed.js';

/** As much as waits in the socket before the rest is left in the journal. */
const MAX_QUEUED_BYTES = 256 * 1024;

export function createStreamFeed({ socket, entry, from, journals }: FeedPorts): Feed {
  /** Where the client is in the journal, and how far the journal is known to reach. */
  let position = from;
  let known = from;
  let reader: JournalReader | null = null;
  let hasEnded = false;

  const hasRoom = () => socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_QUEUED_BYTES;

  function send(bytes: Uint8Array): void {
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
      if (record.kind === 'out') send(record.bytes);
      return hasRoom();
    });
    position = Math.max(position, reader.position);
    if (position < known) return;
    reader.close();
    reader = null;
    if (hasEnded) sendExit(socket, entry);
  }

  return {
    take(record) {
      known = record.end;
      if (reader || position !== record.position || !hasRoom()) return catchUp();
      position = record.end;
      if (record.kind === 'out') send(record.bytes);
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
