/** One inbox over many machines: this daemon as a member of a hub, which is a NATS server with JetStream. */
export type { MachineEntry } from './buckets/index.js';
export { TERMINAL_CONTRACT, type TerminalChannel } from './channels/index.js';
export { type HubAddress, parseServers } from './connect.js';
export { checkPublicKey, publicKey, readSeed } from './key.js';
export type { Begun, HeldWork, Offered } from './labels/index.js';
export {
  type Command,
  type Delivery,
  type Later,
  type Outcome,
  type OutgoingCommand,
  proofOf,
  type SignedCommand,
  signCommand,
  verifyCommand,
} from './mail/index.js';
export { Member } from './member.js';
export type { MemberStatus } from './member-status.js';
export { checkMachineName } from './names.js';
export type { HubShare, LogReader, MemberPorts, Membership, Published } from './ports.js';
export { sharedJson } from './publishing/index.js';
export type { EventPage } from './reading/index.js';
export { checkJoin, type HubLimits, type HubRole, type HubUser, initHub, serverConfig } from './server/index.js';
