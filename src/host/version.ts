/** The version and the commit of the host process. The host reports both to the daemon that connects. */
export { COMMIT as HOST_COMMIT } from '../protocol/version.js';

/** The version that the host reports: that of the package it was built from. */
export const HOST_VERSION = '0.1.0';
