/** A sentence of orchd in which backticks mark commands, flags and names: those are shown as code. */
import { Fragment } from 'react';

export const TextWithCode = ({ text }: { readonly text: string }) =>
  text.split(/`([^`]+)`/).map((part, at) => {
    const key = `${at}`; // the parts of a text never move
    return at % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>;
  });
