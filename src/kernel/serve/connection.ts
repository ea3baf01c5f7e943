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
  description: `Position of a page in its list. All lists take the same arguments: \`first\` items after the cursor \`after\` (default: ${defaultFirst}), or the \`last\` items before the cursor \`before\`, each 0 to ${maxFirst}, in the order of the list; \`offset\` skips items from the start. \`filter\` selects items, \`orderBy\` orders them.`,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'More items follow those of the page.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Items of the list come before those of the page.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item of the page; `before` takes it to go back.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item of the page; `after` takes it to go on.' })
  endCursor!: string | null;
}

/** What a connection's fields are read from. */
export interface Connection {
  page: Page;
  total(): Promise<number> | number;
  /** Where it is a list that the root has, too. */
  asked?: AskedList;
}

/** The connection of a list of a record. */
export interface RecordConnection extends Connection {
  /** How often each value of a column stands in the whole list. */
  tally(field: string): Promise<ReadonlyMap<string, number>>;
}

/** The source of a connection: its page, and its count only when somebody asks for it. */
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

/** Describes fields that all connections and edges have, for the reference only. The schema describes them on `PageInfo`. */
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
  Field(() => Int, { description: 'Number of items in the whole list.' })(connection.prototype, 'totalCount');
  Field(() => String, {
    nullable: true,
    description: 'URL of the whole list as CSV, if available.',
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
