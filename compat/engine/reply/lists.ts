import { type Operation, withPatience } from '../../../src/gateway/run.js';
import type { Codecs } from '../bind/codec.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';
import { type Answer, type Envelope, headOf, type Rows, rowsOf } from './replies.js';
import type { RunOperation } from './run.js';

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** Answers a list with all its rows, page by page along the cursor: at once when they are few, in pieces when they are many. */
export function everything(
  envelope: Envelope,
  root: string,
  firstPage: Operation,
  nextPage: Operation,
  codecs: Codecs,
  run: RunOperation,
) {
  const { items, also, record, rowsAtOnce: first = 100 } = envelope;
  const { encode } = codecs.of(record);
  const cursorOf = ({ connection }: Rows): string | null => {
    const { hasNextPage, endCursor } = connection.pageInfo as PageInfo;
    return hasNextPage ? endCursor : null;
  };
  const textOf = (rows: Rows) => rows.nodes.map((row) => JSON.stringify(encode(row))).join();

  async function* pieces(rows: Rows, { offset: _, ...variables }: Data, request: LegacyRequest): AsyncGenerator<string> {
    const head = JSON.stringify({ ...headOf(envelope, rows), [items]: [] }).slice(0, -2);
    yield head + textOf(rows);
    for (let after = cursorOf(rows); after !== null; ) {
      const page = { ...variables, first, after };
      const data = await withPatience(() => run(nextPage, page, request));
      const more = rowsOf(data[root]);
      if (more.nodes.length) yield `,${textOf(more)}`;
      after = cursorOf(more);
    }
    const tail = JSON.stringify(also?.(rows.connection) ?? {}).slice(1);
    yield `]${tail === '}' ? '' : ','}${tail}`;
  }

  return {
    authorize: (caller: Parameters<Operation['authorize']>[0]) => firstPage.authorize(caller),
    async answer(variables: Data, request: LegacyRequest): Promise<Answer | null> {
      const data = (await run(firstPage, { ...variables, first }, request))[root];
      if (data === null || data === undefined) return null;
      const rows = rowsOf(data);
      if (cursorOf(rows) !== null) return { status: 200, pieces: pieces(rows, variables, request) };
      return { status: 200, body: { ...headOf(envelope, rows), [items]: rows.nodes.map(encode), ...also?.(rows.connection) } };
    },
  };
}
