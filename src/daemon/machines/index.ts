/** This daemon as one of several machines. */
export { HubMembership, type OpenedTerminal } from './hub-membership.js';
