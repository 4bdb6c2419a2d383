/** This daemon as one of several machines. */
export { HubMembership, type HubMembershipPorts } from './hub-membership.js';
