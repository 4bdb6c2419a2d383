/**
 * Turns a typed line into the request that answers an item: in the plain mode and in `orchd inbox -i`. Pure.
 *
 *     a digit alone     that option; a problem if the item has options and none has this number or text
 *     a digit and text  that option with its text, if the option needs one
 *     anything else     text
 */
import type { InputOf, Item } from '../../protocol/index.js';
import { optionsOf } from '../model/items/item-words.js';

type Request = Pick<InputOf<'inbox.answer'>, 'option' | 'text'>;
type ReadAnswer = { readonly request: Request } | { readonly missing: string };

/** `missing`: the number of an option that the item does not have. */
export function readAnswer(item: Item, text: string): ReadAnswer {
  const [, digits = '', rest = ''] = /^(\d+)\s*([\s\S]*)$/.exec(text) ?? [];
  const options = optionsOf(item);
  const option = options[Number(digits) - 1];
  if (option !== undefined && (rest === '' || option.wantsText)) {
    return { request: { option: Number(digits), ...(rest !== '' && { text: rest }) } };
  }
  const isMistaken = digits !== '' && rest === '' && options.length > 0 && !options.some(({ label }) => label === text);
  return isMistaken ? { missing: digits } : { request: { text } };
}

/** @param number  The item's number as shown to the person. */
export function plainAnswer(
  number: number,
  item: Item,
  text: string,
): { readonly request: Request } | { readonly problem: string } {
  const answer = readAnswer(item, text);
  return 'missing' in answer ? { problem: noOption(number, answer.missing, optionsOf(item).length) } : answer;
}

const noOption = (number: number, digits: string, options: number): string =>
  `item ${number} has no option ${digits}, only ${options === 1 ? '1' : `1 to ${options}`}; type show ${number}`;
