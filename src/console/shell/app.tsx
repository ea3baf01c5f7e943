import { useState } from 'preact/hooks';
import { createConnection } from '../data/connection.ts';
import { type Session, SessionContext } from '../data/session.ts';
import { Console } from './console.tsx';
import { SignIn } from './sign-in.tsx';

interface AppProps {
  /** Publishable key of the configuration. Empty if none is configured. */
  readonly publishableKey: string;
  /** Credentials of the demo admin. Null without the demo data. */
  readonly demo: { readonly email: string; readonly password: string } | null;
}

const connection = createConnection();

/** The sign-in form, or the console if a user is signed in. The URL stays the same, so that users continue where they were. */
export function App({ publishableKey, demo }: AppProps) {
  const [session, setSession] = useState<Session | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const end = (reason: string) => {
    setSession(null);
    setMessage(reason);
  };
  if (!session) return <SignIn {...{ publishableKey, demo, connection, message }} onSignIn={setSession} onEnd={end} />;
  return (
    <SessionContext.Provider value={session}>
      <Console />
    </SessionContext.Provider>
  );
}
