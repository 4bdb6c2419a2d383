/** Starts the page: exchanges the code of a link for a token, then shows the pages, or how to get a link. */
// The styles of single parts come behind these, so that they win.
import './styles/tokens.css';
import './styles/base.css';
import './styles/frame.css';
import './styles/inbox.css';
import { StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { OrchdError } from '../protocol/index.js';
import { startTheme } from './browser/theme.js';
import { Frame } from './frame/frame.js';
import { createApi } from './live/api.js';
import { LiveProvider } from './live/live.js';
import { LoginPage } from './login/login-page.js';
import { forgetSession, keepSession, readSession, takeCode } from './login/token.js';

type Entry = 'entering' | 'closed' | 'refused' | 'away';

function Page({ code }: { readonly code: string | null }) {
  const [session, setSession] = useState(() => (code === null ? readSession() : null));
  const [entry, setEntry] = useState<Entry>(code === null ? 'closed' : 'entering');
  const onRefused = useCallback(() => {
    forgetSession();
    setSession(null);
    setEntry('closed');
  }, []);
  useEffect(() => {
    if (code === null) return;
    enter(code).then(
      (entered) => {
        keepSession(entered);
        setSession(entered);
      },
      (error: unknown) => {
        const isRefused = error instanceof OrchdError && error.code !== 'ORCHD_DAEMON_UNREACHABLE';
        const earlier = readSession(); // An old link was opened in a browser that is signed in.
        if (earlier) setSession(earlier);
        setEntry(isRefused ? 'refused' : 'away');
      },
    );
  }, [code]);
  if (!session) return <LoginPage state={entry} />;
  return (
    <LiveProvider token={session.token} device={session.device} onRefused={onRefused}>
      <Frame onSignOut={onRefused} />
    </LiveProvider>
  );
}

let entering: ReturnType<typeof exchange> | undefined;
/** A code works once. It is sent once even if React runs the effect several times. */
const enter = (code: string): ReturnType<typeof exchange> => {
  entering ??= exchange(code);
  return entering;
};
const exchange = (code: string) => createApi(null, () => {}).call('web.enter', { code });

startTheme();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page code={takeCode()} />
    </StrictMode>,
  );
}
// Opening a link in a tab that already shows the page changes only the fragment.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) location.reload();
});
