/** The dashboard: its files, and the browsers that may use it. */

export { clientOf, Devices, permitDevice, permitTyping } from './devices.js';
export { findPages, readableTarget, servePages } from './pages.js';
export { type WantedWeb, WebListener } from './web-listener.js';
