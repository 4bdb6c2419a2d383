/** Tells on standard error that the disk has no space, or little. */
import { diskWords } from '../../protocol/index.js';
import type { Context } from '../program/context.js';
import type { Status } from './daemon-process.js';

export function noteDisk(context: Context, { disk }: Pick<Status, 'disk'>): void {
  const words = diskWords(disk);
  if (words !== null) context.note(words);
}
