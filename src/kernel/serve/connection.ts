import type { GraphQLResolveInfo } from 'graphql';
import { Field, Int, ObjectType } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { type FieldSpec, GeneratedType, type Resolve, type TypeReference } from '../declare/fields/generated.js';
import { resolvedBy } from '../declare/fields/stored-fields.js';
import { memoize } from '../declare/memoize.js';
import { type RecordClass, recordNamed } from '../declare/meta.js';
import { guard } from '../declare/policy/policy.js';
import { optionsOf } from '../declare/record.js';
import type { Row } from '../declare/row.js';
import { toWords } from '../declare/scalars/words.js';
import type { ListArgs, Page } from '../read/list.js';
import { defaultFirst, maxFirst, withoutRows } from '../read/paging/page-args.js';
import { idArray, idArrayJoin, type Join } from '../read/relations/join.js';
import type { Loaders } from '../read/relations/loaders.js';
import { checkOwnedList } from '../read/relations/owned-lists.js';
import { listSelectionOf } from '../read/select.js';
import { csvUrlOf, type RequestedList } from './csv-url.js';
import { readTypedRow } from './nodes.js';

const cursorAt = (page: Page, row: Page['rows'][number] | undefined): string | null => (row ? page.cursor(row) : null);

/** Source object of `PageInfo`. */
interface PageSource {
  readonly page: Page;
}

@ObjectType('PageInfo', {
  description: `Position of a page in its list. All lists take the same arguments. \`first\` (default: ${defaultFirst}) reads items after the cursor \`after\`. \`last\` reads items before the cursor \`before\`. Both accept 0 to ${maxFirst} and keep the order of the list. \`offset\` skips items from the start. \`filter\` selects items, and \`orderBy\` sorts them.`,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether the list has items after the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the list has items before the page.' })
  hasPreviousPage!: boolean;

  @resolvedBy((source) => cursorAt((source as PageSource).page, (source as PageSource).page.rows[0]))
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item of the page. Pass it as `before` to read the previous page.',
  })
  startCursor!: string | null;

  @resolvedBy((source) => cursorAt((source as PageSource).page, (source as PageSource).page.rows.at(-1)))
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item of the page. Pass it as `after` to read the next page.',
  })
  endCursor!: string | null;
}

/** Source object of a connection. */
export interface ConnectionSource {
  page: Page;
  total(): Promise<number> | number;
  /** List that was requested, if its items belong to one record. */
  requestedList?: RequestedList;
}

/** Source object of a connection whose items belong to one record. */
export interface RecordConnection extends ConnectionSource {
  /** Number of items in the entire list for each value of a column. */
  countByValue(field: string): Promise<ReadonlyMap<string, number>>;
}

/** Creates the source object of a connection. Counts the total only if it is selected. */
export const resolveConnection = (
  page: Page,
  loaders: Loaders,
  cls: RecordClass,
  args: ListArgs,
  join?: Join,
  parent?: string,
): RecordConnection => ({
  page,
  requestedList: { cls, args, join, parent },
  total: () => page.total ?? loaders.count(cls, args.filter, join, parent),
  countByValue: (field) => loaders.countByValue(cls, field, args.filter, join, parent),
});

const connectionResolver =
  (resolve: (connection: ConnectionSource) => unknown): Resolve =>
  (source) =>
    resolve(source as ConnectionSource);

/** Resolvers of connection fields. */
export const connectionResolvers = {
  nodes: connectionResolver(({ page }) => page.rows),
  edges: connectionResolver(({ page }) => page.rows.map((node) => ({ node, page }))),
  totalCount: connectionResolver(({ total }) => total()),
  pageInfo: connectionResolver(({ page }) => ({ hasNextPage: page.hasNextPage, hasPreviousPage: page.hasPreviousPage, page })),
};

/** Returns the cursor of an edge. */
export const edgeCursorResolver: Resolve = (source) => {
  const { node, page } = source as { node: Page['rows'][number]; page: Page };
  return page.cursor(node);
};

/** Definition of a connection type and its edge type. The source object of the connection is a `ConnectionSource`. */
interface ConnectionSpec {
  readonly name: string;
  readonly item: TypeReference;
  readonly description: string;
  readonly edgeDescription: string;
  readonly nodes?: Resolve;
  readonly node: Omit<FieldSpec, 'type'>;
  /** Fields in addition to those that all connections have. */
  readonly fields?: Readonly<Record<string, FieldSpec>>;
}

/** Creates a connection type. The schema describes the fields of connections and edges on `PageInfo`. */
export function connectionType(spec: ConnectionSpec): GeneratedType {
  const { name, item, description, edgeDescription, nodes = connectionResolvers.nodes, node, fields = {} } = spec;
  const edge = new GeneratedType(`${name}Edge`, {
    kind: 'object',
    description: edgeDescription,
    extensions: { edge: true },
    fields: () => ({
      cursor: { type: () => String, meaning: 'Cursor of the item, for `after` and `before`.', resolve: edgeCursorResolver },
      node: { ...node, type: () => item },
    }),
  });
  return new GeneratedType(`${name}Connection`, {
    kind: 'object',
    description,
    extensions: { connection: true },
    fields: () => ({
      nodes: { type: () => [item], meaning: 'Items of the page.', resolve: nodes },
      edges: {
        type: () => [edge],
        meaning: 'Items of the page, with their cursors.',
        resolve: connectionResolvers.edges,
      },
      pageInfo: {
        type: () => PageInfo,
        meaning: 'Position of the page in the list.',
        resolve: connectionResolvers.pageInfo,
      },
      totalCount: {
        type: () => Int,
        description: 'Total number of items.',
        resolve: connectionResolvers.totalCount,
      },
      ...fields,
    }),
  });
}

const csvUrl: FieldSpec = {
  type: () => String,
  isNullable: true,
  description: 'URL of the entire list as CSV. Null if the list cannot be exported.',
  resolve: (source, _, context, { schema }) => {
    const { requestedList } = source as ConnectionSource;
    return requestedList ? csvUrlOf(requestedList, context, schema) : null;
  },
};

/** Returns the connection type of a record. */
export const connectionOf: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const many = toWords(optionsOf(cls).many);
  return connectionType({
    name: cls.name,
    item: cls,
    description: `A page of ${many}.`,
    edgeDescription: `Item in a list of ${many}, with its cursor.`,
    node: { meaning: 'The item.' },
    fields: { csvUrl },
  });
});

/** Returns the connection of the records with these IDs, by default in the order of the IDs. `name` identifies the list in cursors. */
export async function connectionOfIds(
  cls: RecordClass,
  name: string,
  ids: readonly string[],
  args: ListArgs,
  { caller, loaders }: Context,
  info: GraphQLResolveInfo,
): Promise<RecordConnection> {
  guard(optionsOf(cls).read, caller);
  const join = idArrayJoin(name);
  const list = idArray(ids);
  const selection = listSelectionOf(cls, info);
  const page = await loaders.loadPage(cls, join, list, selection.rows ? args : withoutRows(args), selection);
  await checkOwnedList(loaders, cls, args);
  return resolveConnection(page, loaders, cls, args, join, list);
}

const readItem = ({ $type, id }: Row, [, , context, info]: Parameters<Resolve>) =>
  readTypedRow(context, recordNamed(String($type)), String(id), info);

const mixedNodes: Resolve = async (...args) => {
  const { page } = args[0] as ConnectionSource;
  const rows = await Promise.all(page.rows.map((row) => readItem(row, args)));
  return rows.filter((row) => row !== null);
};

const mixedNode: Resolve = (...args) => readItem((args[0] as { node: Row }).node, args);

/**
 * Returns a connection type for a list with records of several types. `item` is their union or interface. The rows of a page contain only
 * `$type` and `id`. Each record is read when its item is resolved.
 */
export const mixedConnectionOf = (name: string, item: TypeReference, description: string): GeneratedType =>
  connectionType({
    name,
    item,
    description,
    edgeDescription: 'Item in a list, with the cursor of the item.',
    nodes: mixedNodes,
    node: { isNullable: true, description: 'The item. Null if it was deleted while the list was read.', resolve: mixedNode },
  });
