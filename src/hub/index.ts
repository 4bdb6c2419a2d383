/** One inbox over many machines: this daemon as a member of a hub, which is a NATS server with JetStream. */
export { TERMINAL_CONTRACT, type TerminalChannel } from './channels/index.js';
export { checkJoin } from './check-join.js';
export { type HubAddress, parseServers } from './connect.js';
export { type HubLimits, initHub } from './init.js';
export { checkPublicKey, publicKey, readSeed } from './key.js';
export type { Begun, HeldWork, Offered } from './labels/index.js';
export type { MachineEntry } from './machines.js';
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
export type { EventPage } from './reading/index.js';
export { type HubRole, type HubUser, serverConfig } from './server-config.js';
export { sharedJson } from './shared-text.js';
