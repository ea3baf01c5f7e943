import { type Example, type ExampleTokens, exampleName, headersOf } from '../graphql/examples/index.js';
import type { Graph } from '../graphql/run.js';
import { describeCache } from '../kernel/caches.js';
import type { Caller } from '../kernel/declare/policy/caller.js';
import { withinPageTimeout } from './state.js';

describeCache({
  name: 'responses of the examples in GraphiQL',
  limit: 'one per example',
  validity: 'the process ends',
});

/** Whether an example is a query, not a mutation or a subscription. */
const isQuery = ({ query }: Example): boolean => /^query /m.test(query);

/**
 * Executes example queries as their callers, and caches each answer until the process ends. Null without demo data, for mutations and
 * subscriptions, and if the query fails or times out.
 */
export function exampleAnswers(
  graph: Graph,
  identify: (header: (name: string) => string | undefined) => Promise<Caller>,
  tokens: ExampleTokens | null,
): (example: Example) => Promise<string | null> {
  const answers = new Map<string, Promise<string | null>>();

  async function execute(example: Example): Promise<string | null> {
    if (!tokens || !isQuery(example)) return null;
    const headers = headersOf(example, tokens);
    const caller = await identify((name) => headers[name.toUpperCase()]);
    const { data, errors } = await graph.prepare(example.query).run(example.variables ?? {}, caller);
    return errors ? null : JSON.stringify({ data }, null, 2);
  }

  return async (example) => {
    const name = exampleName(example);
    const answer = answers.get(name) ?? withinPageTimeout(execute(example), null);
    answers.set(name, answer);
    if ((await answer) === null) answers.delete(name);
    return answer;
  };
}
