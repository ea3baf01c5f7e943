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

/** Session of a signed-in user. Its cache ends with it. */
export interface Session {
  readonly viewer: Viewer;
  readonly client: Client;
  readonly connection: Connection;
  /** Number of loaded pages of each list, so that a list has the same rows when the user returns to it. */
  readonly pageCounts: Map<number, number>;
  signOut(): void;
}

export interface Credentials {
  readonly publishableKey: string;
  readonly email: string;
  readonly password: string;
}

/**
 * Signs a user in. The token exists only in this function, so it is lost when the page is closed or reloaded. `onEnd` is called with a
 * message when the session ends.
 */
export async function signIn(
  { publishableKey, email, password }: Credentials,
  connection: Connection,
  onEnd: (message: string) => void,
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
  const end = (message: string) => {
    if (isEnded) return;
    isEnded = true;
    onEnd(message);
  };
  const client = new Client({
    url: `${location.origin}/graphql`,
    preferGetMethod: false,
    exchanges: [
      cacheExchange({ keys, updates }),
      sdkExchange(graph, () => end('Your session has ended. Sign in again to continue.')),
    ],
  });
  return {
    viewer,
    client,
    connection,
    pageCounts: new Map(),
    signOut() {
      // The session ends here even if the service cannot be reached. The token then expires on its own.
      const forget = () => {
        token = null;
      };
      graph.run(Logout).then(forget, forget);
      end('You have signed out.');
    },
  };
}

export const SessionContext = createContext<Session | null>(null);

/** Returns the session. Only for components inside of the signed-in console. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no user is signed in');
  return session;
}
