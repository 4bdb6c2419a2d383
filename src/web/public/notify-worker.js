/**
 * The service worker of the dashboard. It shows notifications on phones, where pages may not, and opens the question of
 * one that is clicked. It keeps no files and sees no requests.
 */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** Shows a path below /ui in the page that is open, or in a new one. */
async function open(path) {
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) return self.clients.openWindow(`/ui${path}`);
  page.postMessage({ open: path });
  return page.focus();
}
