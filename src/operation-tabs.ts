import type { Reference } from '../compat/reference/operation.js';
import type { ExampleTokens } from './gateway/examples/index.js';
import type { NamedTab } from './pages/graphiql.js';
import { tokenFor } from './pages/reference/token.js';

/**
 * The tabs with which GraphiQL opens for an operation of `/v1` by its name, such as `getDataTeamsUuid`: the GraphQL that does the same, with variables
 * that find something in the demo season; null for another name.
 */
export const operationTabs =
  (tokens: ExampleTokens | null, reference: () => Promise<Reference>) =>
  async (name: unknown): Promise<readonly NamedTab[] | null> => {
    if (typeof name !== 'string') return null;
    const operations = (await reference()).groups.flatMap((group) => group.operations);
    const found = operations.find((operation) => operation.name === name);
    if (!found) return null;
    const headers = tokens && {
      [found.auth === 'user' ? 'PB-USER-TOKEN' : 'PB-API-TOKEN']: tokenFor(found, tokens) || tokens.platform,
    };
    return found.calls.map(({ when, document, variables }, index) => ({
      id: index ? `${name}-${index + 1}` : name,
      title: name,
      query: `# ${found.method} ${found.path}${when ? `: ${when}` : ''}\n${document}\n`,
      variables: Object.keys(variables).length ? JSON.stringify(variables, null, 2) : '',
      headers: headers ? JSON.stringify(headers, null, 2) : '',
    }));
  };
