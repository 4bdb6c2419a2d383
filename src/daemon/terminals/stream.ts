/**
 * The feed of a program that follows a session's output: every byte, in order. It reads the journal if the client is
 * behind or continues an earlier stream. The client's position may be beyond what this daemon has read; then nothing is
 * sent until that position is passed.
 */
import { type JournalReader, type OutRecord, openJournal } from '../../host/index.js';
import { type Feed, type FeedPorts, sendControl, sendExit } from './feed.js';
import { MAX_QUEUED_BYTES } from './socket.js';

export function createStreamFeed({ socket, entry, from, begin, tellsPositions, journals }: FeedPorts): Feed {
  /** The client's position in the journal, and the known end of the journal. */
  let position = begin;
  let known = from;
  let reader: JournalReader | null = null;
  let hasEnded = false;

  const hasRoom = () => socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_QUEUED_BYTES.stream;

  function tell(at: number): void {
    if (tellsPositions) sendControl(socket, { type: 'position', position: at });
  }

  function send({ bytes, bytesPosition }: OutRecord): void {
    tell(bytesPosition);
    socket.send(Buffer.from(bytes), () => {
      if (position < known) catchUp();
    });
  }

  /** Sends what the client has not received; called again when the socket has sent something. */
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
      if (known <= position) return; // the client got it from the previous daemon
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
