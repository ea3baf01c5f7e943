import { type Operation, retryUnavailable } from '../../../src/graphql/run.js';
import type { Codec } from '../bind/binding.js';
import type { Codecs } from '../bind/codec.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import { type Envelope, envelopeHead, type LegacyResponse, listBody, type Rows, rowsOf } from './replies.js';

/** Maximum number of rows that one operation reads. GraphQL accepts no larger value of `first`. */
export const maxPageRows = 100;

/** Number of characters after which buffered text is sent. V8 releases longer strings only in a full garbage collection. */
const chunkLength = 32_768;

/** Runs an operation and returns its data. Throws its first error, with legacy names. */
export type RunOperation = (operation: Operation, variables: Data, request: LegacyRequest) => Promise<Data>;

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** State of a list after its first page. The rows are stored as JSON text, because objects need several times as much memory. */
interface RemainingPages {
  /** JSON texts of the rows on the first page. */
  readonly texts: readonly string[];
  /** Cursor of the next page. Null on the last page. */
  readonly after: string | null;
  /** Maximum number of rows that remain to be read. Infinity if the list has no limit. */
  readonly remainingRows: number;
  readonly variables: Data;
}

/** Returns rows as pieces of a JSON array. A comma precedes every row except the first row of the list. */
function textsOf(rows: readonly Data[], encode: Codec['encode'], isStart: boolean): string[] {
  const texts: string[] = [];
  let text = '';
  for (const [index, row] of rows.entries()) {
    text += `${isStart && index === 0 ? '' : ','}${JSON.stringify(encode(row))}`;
    if (text.length < chunkLength && index < rows.length - 1) continue;
    texts.push(text);
    text = '';
  }
  return texts;
}

/** Returns a function that reads a list page by page, up to `limit` rows. The response is streamed if it has several pages. */
export function createListReader(
  envelope: Envelope,
  root: string,
  firstPage: Operation,
  nextPage: Operation,
  codecs: Codecs,
  run: RunOperation,
) {
  const { items, extraKeys, record } = envelope;
  const { encode } = codecs.get(record);
  const cursorOf = ({ connection }: Rows): string | null => {
    const { hasNextPage, endCursor } = connection.pageInfo as PageInfo;
    return hasNextPage ? endCursor : null;
  };
  const tailOf = ({ connection }: Rows): string => {
    const closingText = JSON.stringify(extraKeys?.(connection) ?? {}).slice(1);
    return `]${closingText === '}' ? '' : ','}${closingText}`;
  };

  async function* streamPages(
    head: string,
    closingText: string,
    remainingPages: RemainingPages,
    request: LegacyRequest,
  ): AsyncGenerator<string> {
    let { texts, after, remainingRows } = remainingPages;
    yield head;
    for (;;) {
      yield* texts;
      if (after === null || remainingRows <= 0) break;
      const page = { ...remainingPages.variables, first: Math.min(remainingRows, maxPageRows), after };
      const data = await retryUnavailable(() => run(nextPage, page, request));
      const rows = rowsOf(data[root]);
      texts = textsOf(rows.nodes, encode, false);
      remainingRows -= rows.nodes.length;
      after = cursorOf(rows);
    }
    yield closingText;
  }

  return async ({ offset, ...variables }: Data, limit: number, request: LegacyRequest): Promise<LegacyResponse | null> => {
    const first = { ...variables, first: Math.min(limit, maxPageRows), ...(offset === undefined ? {} : { offset }) };
    const data = (await run(firstPage, first, request))[root];
    if (data === null || data === undefined) return null;
    const rows = rowsOf(data);
    const after = cursorOf(rows);
    const remainingRows = limit - rows.nodes.length;
    if (after === null || remainingRows <= 0) return { status: 200, body: listBody(envelope, rows, encode) };
    const start = JSON.stringify({ ...envelopeHead(envelope, rows), [items]: [] }).slice(0, -2);
    const remainingPages = { texts: textsOf(rows.nodes, encode, true), after, remainingRows, variables };
    return { status: 200, chunks: streamPages(start, tailOf(rows), remainingPages, request) };
  };
}
