import { Client } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { createGraphQLClient, graphql, type ResultOf } from 'courtside-sdk';
import { keys, updates } from 'courtside-sdk/caches';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Connection } from './connection.ts';
import { sdkExchange } from './sdk-exchange.ts';

const Login = graphql('mutation ConsoleLogin($input: LoginInput!) { login(input: $input) { token } }');
const Logout = graphql('mutation ConsoleLogout { logout { expiresAt } }');
export const ViewerQuery = graphql(
  'query ConsoleViewer { viewer { id firstName lastName email isSuperAdmin roles { id title } } }',
);

/** The signed-in user. */
export type Viewer = NonNullable<ResultOf<typeof ViewerQuery>['viewer']>;

/** Whether the viewer has a role, directly or by inheritance. Super admins have every role. */
export const hasRole = ({ isSuperAdmin, roles }: Viewer, title: string): boolean =>
  isSuperAdmin || (roles ?? []).some((role) => role.title === title);

/** Session of a signed-in user. Its cache is discarded when the session ends. The same user can renew an expired session. */
export interface Session {
  readonly viewer: Viewer;
  readonly client: Client;
  readonly connection: Connection;
  /** Number of loaded pages of each list, so that a list has the same rows when the user returns to it. */
  readonly pageCounts: Map<number, number>;
  /** Continues with a new token of the same user. */
  renew(token: string): void;
  signOut(): void;
}

export type SessionEndReason = 'EXPIRED' | 'SIGNED_OUT';

export interface Credentials {
  readonly publishableKey: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Signs a user in. The token is stored only in memory, so it is lost when the page is closed or reloaded. If `expired` is a session of the
 * same user, it is renewed. `onEnd` is called when the session ends.
 */
export async function signIn(
  { publishableKey, email, password }: Credentials,
  connection: Connection,
  expired: Session | null,
  onEnd: (reason: SessionEndReason) => void,
): Promise<Session> {
  let token: string | null = null;
  let isEnded = false;
  const graph = createGraphQLClient({
    origin: location.origin,
    publishableKey,
    userToken: () => token,
    headers: { 'graphql-client-name': 'courtside-console' },
    fetch: connection.fetch,
  });
  const { login } = await graph.run(Login, { input: { email, password, browser: 'Courtside console' } });
  token = login?.token ?? null;
  const { viewer } = await graph.run(ViewerQuery);
  if (!viewer) throw new Error('the service returned no user');
  if (token !== null && viewer.id === expired?.viewer.id) {
    expired.renew(token);
    return { ...expired, viewer };
  }
  const end = (reason: SessionEndReason) => {
    if (isEnded) return;
    isEnded = true;
    onEnd(reason);
  };
  // A late response to a request with the previous token does not end the renewed session.
  const onStart = () => {
    const usedToken = token;
    return () => usedToken === token && end('EXPIRED');
  };
  const client = new Client({
    url: `${location.origin}/graphql`,
    preferGetMethod: false,
    exchanges: [cacheExchange({ keys, updates }), sdkExchange(graph, connection, onStart)],
  });
  return {
    viewer,
    client,
    connection,
    pageCounts: new Map(),
    renew(newToken) {
      token = newToken;
      isEnded = false;
      connection.refresh();
    },
    signOut() {
      // The session ends here even if the service cannot be reached. The token then expires on its own.
      const forget = () => {
        token = null;
      };
      graph.run(Logout).then(forget, forget);
      end('SIGNED_OUT');
    },
  };
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only for components that are rendered for a signed-in user. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no user is signed in');
  return session;
}
