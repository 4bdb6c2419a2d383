/** This daemon as one of several machines. */
export { HubMembership, type HubMembershipPorts, type OpenedTerminal } from './hub-membership.js';
