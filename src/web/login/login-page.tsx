/** The page for a browser without a token. */
interface LoginPageProps {
  readonly state: 'entering' | 'closed' | 'refused' | 'away';
}

const WORDS = {
  closed: {
    title: 'Open the dashboard from a terminal',
    text: 'This browser is not signed in. Run this on the machine where orchd runs:',
  },
  refused: {
    title: 'This link does not work any more',
    text: 'A link works once, and for a minute. Make a new one:',
  },
  away: {
    title: 'The daemon does not answer',
    text: 'Your link could not be checked. Start the daemon, then make a new link:',
  },
} as const;

export function LoginPage({ state }: LoginPageProps) {
  if (state === 'entering') return <main className="door" aria-busy="true" aria-label="Signing in" />;
  const { title, text } = WORDS[state];
  return (
    <main className="door">
      <section className="door-card">
        <img src="/ui/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        <p>{text}</p>
        <pre>
          <code>{state === 'away' ? 'orchd start\norchd web' : 'orchd web'}</code>
        </pre>
        <p className="muted">
          A phone or another browser needs a link of its own, for example{' '}
          <code>orchd web --no-open --role answer --name phone</code>.
        </p>
      </section>
    </main>
  );
}
