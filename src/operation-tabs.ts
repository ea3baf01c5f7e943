import { joinedCalls } from '../compat/reference/joined-calls.js';
import type { Reference, ReferenceCall, ReferenceOperation } from '../compat/reference/operation.js';
import type { ExampleTokens } from './gateway/examples/index.js';
import type { NamedTab } from './pages/graphiql.js';
import { tokenFor } from './pages/reference/token.js';

/** The operations of these names; null where one is unknown. */
function named(name: string, { groups }: Reference): ReferenceOperation[] | null {
  const known = new Map(groups.flatMap(({ operations }) => operations.map((operation) => [operation.name, operation])));
  const found = name.split(',').flatMap((each) => known.get(each) ?? []);
  return found.length > 0 && found.length === name.split(',').length ? found : null;
}

/**
 * The tabs with which GraphiQL opens for an operation of `/v1` by its name, such as `getDataTeamsUuid`: the GraphQL that does the same, with variables
 * that find something in the demo season. For several names with commas between them it is one query for all; null for other names.
 */
export const operationTabs =
  (tokens: ExampleTokens | null, reference: () => Promise<Reference>) =>
  async (name: unknown): Promise<readonly NamedTab[] | null> => {
    const found = typeof name === 'string' && name.length < 1000 ? named(name, await reference()) : null;
    const [first, ...further] = found ?? [];
    if (!found || !first) return null;
    const calls: readonly Omit<ReferenceCall, 'asks'>[] = further.length > 0 ? joinedCalls(found) : first.calls;
    if (calls.length === 0) return null;
    // What platforms ask, too, a platform asks for all of them.
    const asker = found.find(({ auth }) => auth !== 'user') ?? first;
    const headers = tokens && {
      [asker.auth === 'user' ? 'PB-USER-TOKEN' : 'PB-API-TOKEN']: tokenFor(asker, tokens) || tokens.platform,
    };
    const title = found.map((each) => each.name).join(',');
    const head = found.map(({ method, path }) => `# ${method} ${path}`);
    return calls.map(({ when, document, variables }, index) => ({
      id: index ? `${title}-${index + 1}` : title,
      title,
      query: `${head.join('\n')}${when ? `: ${when}` : ''}\n${document}\n`,
      variables: Object.keys(variables).length ? JSON.stringify(variables, null, 2) : '',
      headers: headers ? JSON.stringify(headers, null, 2) : '',
    }));
  };
