import { GraphQLError } from 'graphql';
import { type AdHocGraph, createCache, type Operation, retryUnavailable, validForever } from '../../graphql/run.js';
import { codeOf, createError, fail } from '../../kernel/declare/errors.js';
import { guard, policiesOf } from '../../kernel/declare/policy/policy.js';
import { type ExportCaller, type PageOf, runQuery } from '../run-query.js';
import type { ExportContent } from '../send-export.js';
import { columnSelection, requestedColumns } from './columns.js';
import { argumentsOf, type ExportParameters, type RootList, readParameters, rootLists } from './lists.js';

/** Number of rows per query. It equals the maximum page size of the graph. */
const pageSize = 100;

function documentOf(list: RootList, columns: readonly string[]): string {
  const args = argumentsOf(list);
  const variableDefinitions = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passedArguments = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const selection = columnSelection(columns);
  const rowSelection = list.isMixed ? `__typename ... on ${list.item.name} { ${selection} }` : selection;
  return `query (${variableDefinitions}) { rows: ${list.name}(${passedArguments}) { nodes { ${rowSelection} } pageInfo { hasNextPage endCursor } } }`;
}

/** Adds the column name to an error that denies access to a single value. */
function withColumn(error: unknown): unknown {
  const code = codeOf(error);
  const column =
    error instanceof GraphQLError
      ? error.path
          ?.filter((key) => typeof key === 'string')
          .slice(2)
          .join('.')
      : '';
  if (!(error instanceof GraphQLError) || !column || (code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED')) return error;
  return createError(code, `fields: ${column}: ${error.message}`, { field: 'fields' });
}

/** Returns a function that exports a list as CSV. Each page is read after the client has consumed the previous page. */
export function createCsvExport(graph: AdHocGraph) {
  const lists = rootLists(graph.schema);
  const operations = createCache<string, Operation>(
    { name: 'operations of list exports, keyed by document', limit: '200', validity: validForever },
    { max: 200 },
  );

  function prepare(document: string): Operation {
    const operation = operations.get(document) ?? graph.prepareOnce(document);
    operations.set(document, operation);
    return operation;
  }

  return async (name: string, query: URLSearchParams, exportCaller: ExportCaller): Promise<ExportContent> => {
    const list = lists.get(name) ?? fail('NOT_FOUND', `unknown list ${name.slice(0, 100)}`);
    guard(policiesOf(list.field.extensions) ?? [], exportCaller.caller);
    const parameters = readParameters(list, query);
    const columns = requestedColumns(list, parameters.fields, exportCaller.caller);
    const operation = prepare(documentOf(list, columns));
    const sizeOf = (rowCount: number) => Math.min(pageSize, parameters.first === null ? pageSize : parameters.first - rowCount);
    const page = async (rowCount: number, pageVariables: ExportParameters['variables']) => {
      const variables = { ...parameters.variables, ...pageVariables, first: sizeOf(rowCount) };
      const { rows } = await runQuery<{ rows: PageOf<unknown>['rows'] | null }>(operation, variables, exportCaller);
      return rows ?? fail('NOT_FOUND', `the record that the list ${name} belongs to was not found: check the parameters`);
    };
    const first = await page(0, {}).catch((error: unknown) => {
      throw withColumn(error);
    });
    return {
      type: 'text/csv; charset=utf-8; header=present',
      fileName: `${name}.csv`,
      text: csvPages(columns, first, sizeOf, (rowCount, after) =>
        retryUnavailable(() => page(rowCount, { after, offset: undefined })),
      ),
    };
  };
}

type Page = PageOf<unknown>['rows'];

async function* csvPages(
  columns: readonly string[],
  first: Page,
  sizeOf: (rowCount: number) => number,
  next: (rowCount: number, after: string) => Promise<Page>,
): AsyncGenerator<string> {
  const paths = columns.map((column) => column.split('.'));
  const linesOf = ({ nodes }: Page) => nodes.map((row) => formatLine(cellsOf(row, paths))).join('');
  yield formatLine(columns) + linesOf(first);
  let rowCount = sizeOf(0);
  for (let page = first; page.pageInfo.hasNextPage && page.pageInfo.endCursor !== null && sizeOf(rowCount) > 0; ) {
    const size = sizeOf(rowCount);
    page = await next(rowCount, page.pageInfo.endCursor);
    rowCount += size;
    yield linesOf(page);
  }
}

/** First characters that make spreadsheets read a cell as a formula. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const numberPattern = /^-?\d+(?:\.\d+)?$/;

/** Prevents formula injection. Strings that look like a formula get a leading apostrophe, which spreadsheets do not display. */
const withoutFormula = (text: string): string => (formulaStart.test(text) && !numberPattern.test(text) ? `'${text}` : text);

const quoteCell = (text: string): string =>
  text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Formats a value as a cell: empty for null, `""` for an empty string, JSON for arrays and objects. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return quoteCell(withoutFormula(value));
  return quoteCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Formats a line of CSV (RFC 4180). */
const formatLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`;

/** Returns the values of a row in the order of the columns. */
const cellsOf = (row: unknown, paths: readonly (readonly string[])[]): unknown[] =>
  paths.map((path) =>
    path.reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null), row),
  );
