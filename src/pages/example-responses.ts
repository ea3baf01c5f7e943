import { type Example, type ExampleTokens, exampleName, headersOf } from '../graphql/examples/index.js';
import type { Graph } from '../graphql/run.js';
import { describeCache } from '../kernel/caches.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { withinPageTimeout } from './state.js';

describeCache({
  name: 'responses to the examples in GraphiQL',
  limit: 'one per example',
  validity: 'the process ends',
});

/** Whether an example is a query rather than a mutation or a subscription. */
const isQuery = ({ query }: Example): boolean => /^query /m.test(query);

/**
 * Runs example queries with the demo token of their caller, and caches each response until the process ends. Returns null if there is no
 * demo data, for mutations and subscriptions, and after an error or a timeout.
 */
export function exampleResponses(
  graph: Graph,
  identify: (header: (name: string) => string | undefined) => Promise<Caller>,
  tokens: ExampleTokens | null,
): (example: Example) => Promise<string | null> {
  const responses = new Map<string, Promise<string | null>>();

  async function execute(example: Example): Promise<string | null> {
    if (!tokens || !isQuery(example)) return null;
    const headers = headersOf(example, tokens);
    const caller = await identify((name) => headers[name.toUpperCase()]);
    const { data, errors } = await graph.prepare(example.query).run(example.variables ?? {}, caller);
    return errors ? null : JSON.stringify({ data }, null, 2);
  }

  return async (example) => {
    const name = exampleName(example);
    const response = responses.get(name) ?? withinPageTimeout(execute(example), null);
    responses.set(name, response);
    if ((await response) === null) responses.delete(name);
    return response;
  };
}
