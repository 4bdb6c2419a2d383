/**
 * Passes output records to the ears in pieces, so that other sessions wait for at most one piece.
 *
 * A piece is smaller if the piece before it took long, or if this one is known to be costly for the screen's size.
 */
import type { Finding } from '../ears/index.js';
import type { JournalRecord, OutRecord } from '../host/index.js';
import { pieceOf } from '../terminal/index.js';
import type { Hearing } from './hearing/hearing.js';

const MAX_PIECE_BYTES = 4 * 1024;
const MIN_PIECE_BYTES = 32;
const FIRST_PIECE_BYTES = 512;
const LONG_PIECE_MS = 4;
const SHORT_PIECE_MS = 1;

interface PieceReaderPorts {
  readonly hearing: Hearing;
  /** Number of cells of the program's screen. */
  readonly cells: () => number;
  /** Findings up to this position are in the log already. They are left out. */
  readonly cursor: number;
  /** True if the rest of a record must wait for the next step. */
  readonly isOver: () => boolean;
  /** A clock, in milliseconds. */
  readonly now: () => number;
}

export class PieceReader {
  readonly #ports: PieceReaderPorts;
  #pieceBytes = FIRST_PIECE_BYTES;
  #findings: Finding[] = [];
  #rest: OutRecord | null = null;

  constructor(ports: PieceReaderPorts) {
    this.#ports = ports;
  }

  /** The unread rest of an output record that took too long. */
  get rest(): OutRecord | null {
    return this.#rest;
  }

  /** Returns the findings since the last call. */
  takeFindings(): Finding[] {
    const findings = this.#findings;
    this.#findings = [];
    return findings;
  }

  /** Reads a record. If it is a long output, a rest may remain. */
  read(record: JournalRecord): void {
    if (record.kind === 'out' && record.bytes.length > MIN_PIECE_BYTES) this.readPieces(record);
    else this.#hear(record);
  }

  /** Reads at least one piece of the record, and further pieces until the caller's `isOver` returns true. */
  readPieces(record: OutRecord): void {
    const { bytes, bytesPosition } = record;
    let at = 0;
    while (at < bytes.length) {
      const next = bytes.subarray(at, at + this.#pieceBytes);
      const piece = next.subarray(0, pieceOf(next, this.#ports.cells()));
      const begun = this.#ports.now();
      this.#hear({ ...record, bytes: piece, bytesPosition: bytesPosition + at });
      this.#adapt(this.#ports.now() - begun, piece.length);
      at += piece.length;
      if (at < bytes.length && this.#ports.isOver()) {
        // The bytes are copied, because those of the reader are valid only during the call.
        this.#rest = { ...record, bytes: Uint8Array.from(bytes.subarray(at)), bytesPosition: bytesPosition + at };
        return;
      }
    }
    this.#rest = null;
  }

  #hear(record: JournalRecord): void {
    for (const finding of this.#ports.hearing.push(record))
      if (finding.at > this.#ports.cursor) this.#findings.push(finding);
  }

  #adapt(tookMs: number, length: number): void {
    const size = this.#pieceBytes;
    if (tookMs > LONG_PIECE_MS) this.#pieceBytes = Math.max(MIN_PIECE_BYTES, (size * LONG_PIECE_MS) / tookMs) | 0;
    else if (tookMs < SHORT_PIECE_MS && length === size) this.#pieceBytes = Math.min(MAX_PIECE_BYTES, size * 2);
  }
}
