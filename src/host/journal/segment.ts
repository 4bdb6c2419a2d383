/**
 * Segments: the files that a journal consists of. See protocol/journal.md.
 *
 *   <journals>/<session id>/<position of the first record, 16 digits>.journal
 *   header  magic "ORCHDJNL" · version u16 · header length u16 · reserved u32 (0) · first position u64
 *           · reserved u32 (0) · crc32 u32
 *
 * Headers have no positions: the byte at file offset SEGMENT_HEADER_BYTES is the one at the segment's first position,
 * and a record's end is always the next record's position, also across segments.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

export const SEGMENT_HEADER_BYTES = 32;
const SEGMENT_VERSION = 1;
/**
 * Maximum size of a segment. A record that would exceed it begins the next segment. A longer record has a segment of
 * its own.
 */
export const SEGMENT_BYTES = 8 * 1024 * 1024;

const MAGIC = Buffer.from('ORCHDJNL', 'latin1');
const NAME = /^(\d{16})\.journal$/;

export const segmentPath = (directory: string, first: number): string =>
  join(directory, `${String(first).padStart(16, '0')}.journal`);

/**
 * @returns The first position of each segment, in order, of regular files only; [] for a directory that does not exist.
 */
export function listSegments(directory: string): number[] {
  let names: string[];
  try {
    // A pipe in the place of a segment would block the reader.
    names = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch {
    return [];
  }
  return names
    .map((name) => NAME.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

export function encodeSegmentHeader(first: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt16LE(SEGMENT_VERSION, 8);
  header.writeUInt16LE(SEGMENT_HEADER_BYTES, 10);
  header.writeBigUInt64LE(BigInt(first), 16);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return header;
}

/** @returns The error in the header, or null. */
export function checkSegmentHeader(header: Buffer, first: number): string | null {
  if (header.length < SEGMENT_HEADER_BYTES) return 'the segment header is cut';
  if (!header.subarray(0, 8).equals(MAGIC)) return 'this is not a journal segment';
  if (crc32(header.subarray(0, 28)) !== header.readUInt32LE(28)) return "the segment header's checksum does not fit";
  if (header.readUInt16LE(8) !== SEGMENT_VERSION) return `segment version ${header.readUInt16LE(8)} is not known`;
  if (header.readBigUInt64LE(16) !== BigInt(first)) return 'the segment stands under a wrong name';
  return null;
}

/** Offset in a record's header (record-codec.ts). */
const KIND_OFFSET = 8;
const SNAPSHOT_KIND = 10;

/**
 * Returns the position of the snapshot record if the journal was cut, otherwise null. The record is the first one of
 * its segment. Segments before it contain records that are still needed.
 */
export function snapshotAt(directory: string): number | null {
  const kind = Buffer.alloc(1);
  return (
    listSegments(directory).find((first) => {
      try {
        const fd = openSync(segmentPath(directory, first), 'r');
        try {
          return readSync(fd, kind, 0, 1, SEGMENT_HEADER_BYTES + KIND_OFFSET) === 1 && kind[0] === SNAPSHOT_KIND;
        } finally {
          closeSync(fd);
        }
      } catch {
        return false;
      }
    }) ?? null
  );
}
