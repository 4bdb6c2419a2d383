/**
 * Recognizes messages that the server has stored under the name of a machine which did not publish them.
 *
 * NATS does not check the subject to which a reply goes. A user may name a subject of another machine there, and the
 * server stores its reply on that subject. The replies are of three kinds:
 *
 * - The reply to a direct get has the text and the headers of a stored message, which the user may have written. The
 *   server adds `Nats-Stream`. No machine publishes a message with that header.
 * - The messages of a consumer keep the subject on which they were published, so they name no other machine.
 * - Acknowledgements and all other replies have a text of the server, which is not an event, an item or a heartbeat.
 */
import type { MsgHdrs } from '@nats-io/transport-node';

const COPY_HEADER = 'Nats-Stream';

/** True if the message is a reply to a direct get. */
export const isCopy = (headers: MsgHdrs | undefined): boolean => headers?.has(COPY_HEADER) ?? false;

/** As `isCopy`, for a message that was itself read with a direct get. The server has added the header once for that. */
export const isCopyOfCopy = (headers: MsgHdrs): boolean => headers.values(COPY_HEADER).length > 1;
