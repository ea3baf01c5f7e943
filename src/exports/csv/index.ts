import { GraphQLError } from 'graphql';
import { bounded, forGood, type OpenGraph, type Operation, retryUnavailable } from '../../gateway/run.js';
import { codeOf, fail, problem } from '../../kernel/declare/errors.js';
import { guard, policiesOf } from '../../kernel/declare/policy.js';
import type { Exported } from '../answer.js';
import { type Asking, ask, type PageOf } from '../asking.js';
import { cellsOf, line } from './cells.js';
import { columnsAsked, selecting } from './columns.js';
import { type RootList, rootLists } from './lists.js';
import { argumentsOf, readParameters, type WantedRows } from './parameters.js';

/** Number of rows per query, the maximum page size of the graph. */
const pageSize = 100;

function documentOf(list: RootList, columns: readonly string[]): string {
  const args = argumentsOf(list);
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const given = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const own = selecting(columns);
  const selected = list.isMixed ? `__typename ... on ${list.item.name} { ${own} }` : own;
  return `query (${declared}) { rows: ${list.name}(${given}) { nodes { ${selected} } pageInfo { hasNextPage endCursor } } }`;
}

/** Adds the column to an error about a single value. */
function byColumn(error: unknown): unknown {
  const code = codeOf(error);
  const column =
    error instanceof GraphQLError
      ? error.path
          ?.filter((part) => typeof part === 'string')
          .slice(2)
          .join('.')
      : '';
  if (!(error instanceof GraphQLError) || !column || (code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED')) return error;
  return problem(code, `fields: ${column}: ${error.message}`, { field: 'fields' });
}

/** Creates the CSV export of lists. Pages are read as the client consumes them. */
export function csvOf(graph: OpenGraph) {
  const lists = rootLists(graph.schema);
  const prepared = bounded<string, Operation>(
    { what: 'what exports of lists ask the graph, by their columns', most: '200', until: forGood },
    { max: 200 },
  );

  function prepare(document: string): Operation {
    const operation = prepared.get(document) ?? graph.prepareOnce(document);
    prepared.set(document, operation);
    return operation;
  }

  return async (name: string, query: URLSearchParams, asking: Asking): Promise<Exported> => {
    const list = lists.get(name) ?? fail('NOT_FOUND', `the graph has no list ${name.slice(0, 100)}`);
    guard(policiesOf(list.field.extensions) ?? [], asking.caller);
    const wanted = readParameters(list, query);
    const columns = columnsAsked(list, wanted.fields, asking.caller);
    const operation = prepare(documentOf(list, columns));
    const sizeOf = (taken: number) => Math.min(pageSize, wanted.first === null ? pageSize : wanted.first - taken);
    const page = async (taken: number, place: WantedRows['variables']) => {
      const variables = { ...wanted.variables, ...place, first: sizeOf(taken) };
      const answer = await ask<{ rows: PageOf<unknown>['rows'] | null }>(operation, variables, asking);
      return answer.rows ?? fail('NOT_FOUND', `there is no such list of ${name}`);
    };
    const first = await page(0, {}).catch((error: unknown) => {
      throw byColumn(error);
    });
    return {
      type: 'text/csv; charset=utf-8; header=present',
      file: `${name}.csv`,
      text: pieces(columns, first, sizeOf, (taken, after) => retryUnavailable(() => page(taken, { after, offset: undefined }))),
    };
  };
}

type Page = PageOf<unknown>['rows'];

async function* pieces(
  columns: readonly string[],
  first: Page,
  sizeOf: (taken: number) => number,
  next: (taken: number, after: string) => Promise<Page>,
): AsyncGenerator<string> {
  const ways = columns.map((column) => column.split('.'));
  const linesOf = ({ nodes }: Page) => nodes.map((row) => line(cellsOf(row, ways))).join('');
  yield line(columns) + linesOf(first);
  let taken = sizeOf(0);
  for (let page = first; page.pageInfo.hasNextPage && page.pageInfo.endCursor !== null && sizeOf(taken) > 0; ) {
    const size = sizeOf(taken);
    page = await next(taken, page.pageInfo.endCursor);
    taken += size;
    yield linesOf(page);
  }
}
