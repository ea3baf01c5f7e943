import type { ExampleTokens } from './gateway/examples/index.js';
import { replaceable } from './legacy-routes.js';
import type { NamedTab } from './pages/graphiql.js';

/** The tabs with which GraphiQL opens for an operation of `/v1` by its name, such as `getDataTeamsUuid`: the GraphQL that does the same; null for another name. */
export const operationTabs =
  (tokens: ExampleTokens | null) =>
  (name: unknown): readonly NamedTab[] | null => {
    const found = typeof name === 'string' ? replaceable(name) : null;
    if (found?.name !== name || !found) return null;
    const isOfUsers = found.entry.alternatives.every(({ auth }) => auth === 'user');
    const headers = tokens && (isOfUsers ? { 'PB-USER-TOKEN': tokens.user } : { 'PB-API-TOKEN': tokens.platform });
    return found.calls.map(({ when, document, variables }, index) => ({
      id: index ? `${found.name}-${index + 1}` : found.name,
      title: found.name,
      query: `# ${found.route}${when ? `: ${when}` : ''}\n${document}\n`,
      variables: Object.keys(variables).length ? JSON.stringify(variables, null, 2) : '',
      headers: headers ? JSON.stringify(headers, null, 2) : '',
    }));
  };
