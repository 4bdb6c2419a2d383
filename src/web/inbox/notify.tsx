/**
 * Notifies the person of new questions while the page is hidden, and tells the daemon when the person is at the page.
 */
import { useEffect, useState } from 'react';
import { subjectOf } from '../../protocol/index.js';
import { useLive } from '../live/live.js';
import { Icon } from '../parts/icon.js';
import { line } from '../text/label-text.js';

const isPossible = 'Notification' in globalThis;

export function NotifyButton() {
  const [permission, setPermission] = useState(isPossible ? Notification.permission : 'denied');
  if (permission !== 'default') return null;
  return (
    <button
      type="button"
      className="button quiet"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <Icon name="bell" /> Notify me
    </button>
  );
}

/** Shows a notification for each question that arrives while the page is hidden. */
export function useNotifications(go: (path: string) => void): void {
  const { onEvent } = useLive();
  useEffect(
    () =>
      onEvent((event) => {
        if (event.event_type !== 'item_opened' || !isPossible) return;
        if (document.visibilityState === 'visible' || Notification.permission !== 'granted') return;
        const { item_id, type, data } = event;
        notify(`/inbox/${item_id}`, { body: line(subjectOf({ type, data }), 200), tag: item_id }, go);
      }),
    [onEvent, go],
  );
  useEffect(() => {
    const { serviceWorker } = navigator as { readonly serviceWorker?: ServiceWorkerContainer };
    const onMessage = ({ data }: MessageEvent): void => {
      const path: unknown = typeof data === 'object' && data !== null && 'open' in data ? data.open : null;
      if (typeof path === 'string' && path.startsWith('/inbox/')) go(path);
    };
    serviceWorker?.addEventListener('message', onMessage);
    return () => serviceWorker?.removeEventListener('message', onMessage);
  }, [go]);
}

const TITLE = 'An agent waits for you';
const ICON = '/ui/icon-192.png';
const WORKER = '/ui/notify-worker.js';

/** @param path  The page that a click on the notification opens. */
function notify(path: string, options: NotificationOptions, go: (path: string) => void): void {
  try {
    const shown = new Notification(TITLE, { ...options, icon: ICON });
    shown.onclick = () => {
      focus();
      go(path);
    };
  } catch {
    // Browsers of phones have no such constructor: there, only a service worker may notify.
    void notifyByWorker({ ...options, icon: ICON, data: { path } }).catch(() => {}); // none without HTTPS
  }
}

async function notifyByWorker(options: NotificationOptions): Promise<void> {
  await navigator.serviceWorker.register(WORKER);
  const worker = await navigator.serviceWorker.ready;
  await worker.showNotification(TITLE, options);
}

const PRESENCE_INTERVAL_MS = 15_000;

/** Reports to the daemon that a person is at this page. The daemon then sends no notifications of its own. */
export function usePresence(): void {
  const { api } = useLive();
  useEffect(() => {
    const client_id = `web-${Math.random().toString(36).slice(2)}`;
    let reportedAt = 0;
    const tell = (present: boolean): void => {
      if (present && Date.now() - reportedAt < PRESENCE_INTERVAL_MS) return;
      reportedAt = present ? Date.now() : 0;
      api.call('presence.tell', { client_id, present }).catch(() => {}); // The next key press sends it again.
    };
    const here = (): void => tell(true);
    const seen = (): void => tell(document.visibilityState === 'visible' && document.hasFocus());
    const events = ['keydown', 'pointerdown', 'focus'] as const;
    for (const name of events) addEventListener(name, here);
    addEventListener('blur', seen);
    document.addEventListener('visibilitychange', seen);
    return () => {
      for (const name of events) removeEventListener(name, here);
      removeEventListener('blur', seen);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [api]);
}
