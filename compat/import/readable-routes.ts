import type { GraphQLSchema } from 'graphql';
import type { LegacyRecord } from '../engine/bind/binding.js';
import { codecsOf } from '../engine/bind/codec.js';
import { type Data, isObject, parseJson } from '../engine/bind/json.js';
import type { Reply } from '../engine/reply/replies.js';
import { entriesOf, type Route, type RouteEntry } from '../engine/route.js';
import { legacyRecords, legacyRoutes } from '../index.js';
import { type DecodedRecord, recordReader } from './read-record.js';

/** Page of a list. */
interface ReadPage {
  readonly records: readonly DecodedRecord[];
  /** Total number of records. Null if the list does not contain it. */
  readonly total: number | null;
}

/** Route of the legacy interface that returns a list of records. */
export interface ReadableList {
  /** Path without `/v1`, such as `/data/teams`. */
  readonly path: string;
  readonly type: string;
  readonly isPaged: boolean;
  /** Whether the records contain other records. */
  readonly hasNested: boolean;
  readonly read: (text: string) => ReadPage;
}

/** Lists of records that belong to other records, such as the favorites of a user. */
export interface ReadableChildList extends Omit<ReadableList, 'path'> {
  readonly parentType: string;
  readonly pathOf: (parentId: string) => string;
}

/** Route that returns one record. */
export interface ReadableRecord {
  readonly type: string;
  readonly pathOf: (id: string) => string;
  readonly read: (text: string) => DecodedRecord | null;
}

/** Routes of the legacy interface that return records with an ID and accept a platform token. */
export interface ReadableRoutes {
  readonly lists: readonly ReadableList[];
  readonly childLists: readonly ReadableChildList[];
  readonly records: readonly ReadableRecord[];
}

/** Names of the query parameters for pages. */
export const pageParameters = { size: 'page_size', page: 'current_page' } as const;

const prefix = '/v1';
const pathWith = (path: string, id: string): string => path.slice(prefix.length).replace(/\{\w+\}/, () => encodeURIComponent(id));

/** Returns the route that handles requests without query parameters. */
const plainRoute = ({ alternatives }: RouteEntry): Route | undefined => alternatives.at(-1);

/** Returns the key of the record in a response. Null if the response is the record itself. */
const keyOf = ({ schema }: Reply): string | null => Object.keys((schema?.properties as object | undefined) ?? {})[0] ?? null;

/** Returns all routes of the legacy interface that return records with an ID and accept a platform token. */
export function readableRoutes(schema: GraphQLSchema): ReadableRoutes {
  const codecs = codecsOf(schema, legacyRecords, () => undefined, { isLazy: true });
  const readerOf = (record: LegacyRecord) => recordReader(codecs, legacyRecords, record);
  const entries = entriesOf(legacyRoutes).filter(({ method, path }) => method === 'GET' && path.startsWith(`${prefix}/`));

  const listOf = (route: Route): Omit<ReadableList, 'path'> | null => {
    const { list, record } = route.reply;
    if (!list || !record?.type || route.auth === 'user') return null;
    const { hasId, hasNested, read: readItem } = readerOf(record);
    if (!hasId) return null;
    const { items, total } = list;
    return {
      type: record.type,
      hasNested,
      isPaged: route.args?.first !== undefined,
      read(text) {
        const body = parseJson(text);
        const rows = isObject(body) ? body[items] : undefined;
        if (!isObject(body) || !Array.isArray(rows)) throw new Error(`expected an object with the array ${items}`);
        return { records: rows.filter(isObject).map(readItem), total: total === null ? null : Number(body[total]) };
      },
    };
  };
  const recordOf = (path: string, route: Route): ReadableRecord | null => {
    const { list, record } = route.reply;
    if (list || !record?.type || route.auth === 'user') return null;
    const { hasId, read: readItem } = readerOf(record);
    if (!hasId) return null;
    const key = keyOf(route.reply);
    return {
      type: record.type,
      pathOf: (id) => pathWith(path, id),
      read(text) {
        const body = parseJson(text);
        const item: unknown = key !== null && isObject(body) ? body[key] : body;
        return isObject(item) ? readItem(item as Data) : null;
      },
    };
  };

  const byId = entries.filter(({ params }) => params.length === 1 && (params[0] === 'uuid' || params[0] === 'id'));
  const singlePaths = new Map<string, ReadableRecord>();
  for (const entry of byId) {
    const [route] = entry.alternatives;
    const readable = route && recordOf(entry.path, route);
    if (readable) singlePaths.set(entry.path, readable);
  }
  return {
    lists: entries.flatMap((entry) => {
      const route = entry.params.length === 0 ? plainRoute(entry) : undefined;
      const list = route && listOf(route);
      return list ? [{ ...list, path: entry.path.slice(prefix.length) }] : [];
    }),
    childLists: byId.flatMap((entry) => {
      const route = plainRoute(entry);
      const list = route && listOf(route);
      const [, parent] = [...singlePaths].find(([path]) => entry.path.startsWith(`${path}/`)) ?? [];
      return list && parent ? [{ ...list, parentType: parent.type, pathOf: (id: string) => pathWith(entry.path, id) }] : [];
    }),
    records: [...singlePaths.values()],
  };
}
