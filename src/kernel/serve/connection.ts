import type { GraphQLResolveInfo } from 'graphql';
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { meaning } from '../declare/meaning.js';
import { classNamed, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { worded } from '../declare/words.js';
import type { Join } from '../read/join.js';
import type { ListArgs, Page } from '../read/list.js';
import type { Loaders } from '../read/loaders.js';
import { defaultFirst, maxFirst } from '../read/part.js';
import { type AskedList, csvUrlOf } from './csv-url.js';

/** The position of a page in its list. */
@ObjectType('PageInfo', {
  description: `Position of a page in its list. All lists take the same arguments. \`first\` (default: ${defaultFirst}) reads items after the cursor \`after\`, \`last\` reads items before the cursor \`before\`. Both are 0 to ${maxFirst} and keep the order of the list. \`offset\` skips items from the start. \`filter\` selects items, \`orderBy\` orders them.`,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether the list has items after the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether the list has items before the page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item of the page. Pass it as `before` to read the previous page.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item of the page. Pass it as `after` to read the next page.',
  })
  endCursor!: string | null;
}

/** Source object of a connection. */
export interface Connection {
  page: Page;
  total(): Promise<number> | number;
  /** Set if the list is also available at the root. */
  asked?: AskedList;
}

/** The connection of a list of a record. */
export interface RecordConnection extends Connection {
  /** Number of items by value of a column, in the entire list. */
  tally(field: string): Promise<ReadonlyMap<string, number>>;
}

/** Creates the source object of a connection. The total is counted only on request. */
export const resolveConnection = (
  page: Page,
  loaders: Loaders,
  cls: RecordClass,
  args: ListArgs,
  by?: Join,
  parent?: string,
): RecordConnection => ({
  page,
  asked: { cls, args, by, parent },
  total: () => page.total ?? loaders.count(cls, args.filter, by, parent),
  tally: (field) => loaders.tally(cls, field, args.filter, by, parent),
});

/** Describes the fields of connections and edges for the reference. The schema describes them on `PageInfo`. */
export function describePage(connection: RecordClass, edge: RecordClass): void {
  meaning('Items of the page.')(connection.prototype, 'nodes');
  meaning('Items of the page, with their cursors.')(connection.prototype, 'edges');
  meaning('Position of the page in the list.')(connection.prototype, 'pageInfo');
  meaning('Cursor of the item, for `after` and `before`.')(edge.prototype, 'cursor');
}

const connections = new Map<RecordClass, RecordClass>();

/** The connection type of a record: nodes, edges with cursors, page info and a lazy total. */
export function connectionOf(cls: RecordClass): RecordClass {
  const known = connections.get(cls);
  if (known) return known;
  const { many } = optionsOf(cls);
  const edgeName = `${cls.name}Edge`;
  const edge = classNamed(edgeName);
  Field(() => String)(edge.prototype, 'cursor');
  Field(() => cls)(edge.prototype, 'node');
  meaning('The item.')(edge.prototype, 'node');
  Extensions({ edge: true })(edge);
  ObjectType(edgeName, { description: `An item of a list of ${worded(many)}, with its cursor.` })(edge);
  const name = `${cls.name}Connection`;
  const connection = classNamed(name);
  Field(() => [cls])(connection.prototype, 'nodes');
  Field(() => [edge])(connection.prototype, 'edges');
  Field(() => PageInfo)(connection.prototype, 'pageInfo');
  Field(() => Int, { description: 'Total number of items in the list.' })(connection.prototype, 'totalCount');
  Field(() => String, {
    nullable: true,
    description: 'URL of the entire list as CSV, if available.',
  })(connection.prototype, 'csvUrl');
  describePage(connection, edge);
  Extensions({ connection: true })(connection);
  ObjectType(name, { description: `A page of ${worded(many)}.` })(connection);
  connections.set(cls, connection);
  return connection;
}

/** Plain resolve functions of the connection and edge types, by type and field. */
export const connectionResolvers = {
  nodes: ({ page }: Connection) => page.rows,
  edges: ({ page }: Connection) => page.rows.map((node) => ({ node, page })),
  totalCount: ({ total }: Connection) => total(),
  csvUrl: ({ asked }: Connection, _: unknown, context: Context, { schema }: GraphQLResolveInfo) =>
    asked ? csvUrlOf(asked, context, schema) : null,
  pageInfo: ({ page }: Connection) => ({ hasNextPage: page.hasNextPage, hasPreviousPage: page.hasPreviousPage, page }),
};

/** Plain resolve functions of the page info's cursors. */
export const pageInfoResolvers = {
  startCursor: ({ page }: { page: Page }) => edgeCursor(page, page.rows[0]),
  endCursor: ({ page }: { page: Page }) => edgeCursor(page, page.rows.at(-1)),
};

const edgeCursor = (page: Page, row: Page['rows'][number] | undefined) => (row ? page.cursor(row) : null);

/** Plain resolve functions of the edge types. */
export const edgeResolvers = {
  cursor: ({ node, page }: { node: Page['rows'][number]; page: Page }) => page.cursor(node),
};
