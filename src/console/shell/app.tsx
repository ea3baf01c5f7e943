import { useEffect, useState } from 'preact/hooks';
import { createConnection } from '../data/connection.ts';
import { type Session, SessionContext, type SessionEndReason } from '../data/session.ts';
import { forgetPositions, hrefOf, navigate } from '../router.ts';
import { Console } from './console.tsx';
import { SignInDialog, SignInPage } from './sign-in.tsx';

interface AppProps {
  /** Publishable key from the configuration. Empty if no key is configured. */
  readonly publishableKey: string;
  /** Credentials of the demo admin. Null without the demo data. */
  readonly demo: { readonly email: string; readonly password: string } | null;
}

const connection = createConnection();

/**
 * The sign-in form, or the console if a user is signed in. When a session expires, the console stays in memory, so that the same user can
 * continue without losing input. Another user starts at the overview.
 */
export function App({ publishableKey, demo }: AppProps) {
  const [session, setSession] = useState<Session | null>(null);
  const [endReason, setEndReason] = useState<SessionEndReason | null>(null);
  const [lastUserId, setLastUserId] = useState<string | null>(null);
  useEffect(forgetPositions, [session?.viewer.id]);
  const onSignIn = (next: Session) => {
    if (lastUserId !== null && lastUserId !== next.viewer.id) navigate(hrefOf([]), { replaces: true });
    setLastUserId(next.viewer.id);
    setSession(next);
    setEndReason(null);
  };
  const onEnd = (reason: SessionEndReason) => {
    if (reason === 'SIGNED_OUT') setSession(null);
    setEndReason(reason);
  };
  const signIn = { publishableKey, demo, connection, expired: session, onSignIn, onEnd };
  if (!session) return <SignInPage {...signIn} hasSignedOut={endReason !== null} />;
  return (
    <>
      <SessionContext.Provider key={session.viewer.id} value={session}>
        <Console />
      </SessionContext.Provider>
      {endReason && <SignInDialog {...signIn} />}
    </>
  );
}
