/**
 * The type of the table of handlers: one asynchronous function for each operation. It gets the input and the caller,
 * and resolves with the output.
 */
import type { InputOf, OperationName, OutputOf } from '../../protocol/index.js';
import type { Caller } from '../access/index.js';

type Handler<N extends OperationName> = (input: InputOf<N>, caller: Caller) => Promise<OutputOf<N>>;
export type Handlers = { readonly [N in OperationName]: Handler<N> };
