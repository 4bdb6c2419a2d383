/** The limits and the error codes of the server that every publisher to a stream of the hub uses. */
import type { NatsConnection } from '@nats-io/transport-node';

/** Maximum time until the server acknowledges a message, in milliseconds. */
export const PUBLISH_MS = 5_000;
/** Share of the server's message size that a text may use; the rest is for headers. */
const PAYLOAD_SHARE = 0.9;
/** The server's code for a message whose subject was expected to be empty and has one. */
const WRONG_LAST_SEQUENCE = 10_071;

/** Returns the maximum size of a message's text in bytes; infinity if the server has not said it. */
export const maxTextBytes = ({ info }: NatsConnection): number =>
  Math.floor((info?.max_payload ?? Number.POSITIVE_INFINITY) * PAYLOAD_SHARE);

/** True for the error of a message that the stream already has. */
export const isAlreadyThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === WRONG_LAST_SEQUENCE;
