/** Commands between machines and their outcomes, as signed messages in one stream. */
export {
  type Command,
  type Delivery,
  type Later,
  type Outcome,
  proofOf,
  type SignedCommand,
  signCommand,
  verifyCommand,
} from './envelope.js';
export { Mail, type MailPorts, type OutgoingCommand } from './mail.js';
