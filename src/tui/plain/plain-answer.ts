/**
 * Turns the text of `answer NUMBER TEXT` in the plain mode into a request. Pure.
 *
 *     a digit alone     that option; a problem if the item has options and none has this number or text
 *     a digit and text  that option with its text, if the option needs one
 *     anything else     text
 */
import type { InputOf, Item } from '../../protocol/index.js';
import { optionsOf } from '../model/item-words.js';

type PlainAnswer =
  | { readonly request: Pick<InputOf<'inbox.answer'>, 'option' | 'text'> }
  | { readonly problem: string };

/** @param number  The item's number as shown to the person. */
export function plainAnswer(number: number, item: Item, text: string): PlainAnswer {
  const [, digits = '', rest = ''] = /^(\d+)\s*([\s\S]*)$/.exec(text) ?? [];
  const options = optionsOf(item);
  const option = options[Number(digits) - 1];
  if (option !== undefined && (rest === '' || option.wantsText)) {
    return { request: { option: Number(digits), ...(rest !== '' && { text: rest }) } };
  }
  const isMistaken = digits !== '' && rest === '' && options.length > 0 && !options.some(({ label }) => label === text);
  return isMistaken ? { problem: noOption(number, digits, options.length) } : { request: { text } };
}

const noOption = (number: number, digits: string, options: number): string =>
  `item ${number} has no option ${digits}, only ${options === 1 ? '1' : `1 to ${options}`}; type show ${number}`;
