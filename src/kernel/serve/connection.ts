import type { GraphQLResolveInfo } from 'graphql';
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { classNamed, metaOf, type RecordClass } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import { worded } from '../declare/words.js';
import type { Join } from '../read/join.js';
import type { ListArgs, Page } from '../read/list.js';
import type { Loaders } from '../read/loaders.js';
import { type AskedList, csvUrlOf } from './csv-url.js';

/** Where in its list a page stands. */
@ObjectType('PageInfo', { description: 'Where in its list a page stands.' })
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

const connections = new Map<RecordClass, RecordClass>();

/** The connection type of a record: nodes, edges with cursors, page info and a lazy total. */
export function connectionOf(cls: RecordClass): RecordClass {
  const known = connections.get(cls);
  if (known) return known;
  const { many } = optionsOf(cls);
  const edgeName = `${cls.name}Edge`;
  const edge = classNamed(edgeName);
  Field(() => String, { description: 'Marks this place in the list: `after` goes on behind it, `before` ends in front of it.' })(
    edge.prototype,
    'cursor',
  );
  Field(() => cls, { description: 'The item.' })(edge.prototype, 'node');
  Extensions({ edge: true })(edge);
  ObjectType(edgeName, { description: `One of the ${worded(many)} of a list, with its place there.` })(edge);
  const name = `${cls.name}Connection`;
  const connection = classNamed(name);
  Field(() => [cls], { description: 'The items of this page.' })(connection.prototype, 'nodes');
  Field(() => [edge], { description: 'The items of this page, each with its cursor.' })(connection.prototype, 'edges');
  Field(() => PageInfo, { description: 'Where in the list this page stands.' })(connection.prototype, 'pageInfo');
  Field(() => Int, { description: 'How many items the whole list has; counted only when asked for.' })(
    connection.prototype,
    'totalCount',
  );
  Field(() => String, {
    nullable: true,
    description:
      'Address of the whole list as CSV, with its filter and order; ask for it with the headers of this request. `fields=id,location.city` there chooses columns, `first` bounds the rows. Null where no filter of the root has the list.',
  })(connection.prototype, 'csvUrl');
  Extensions({ connection: true })(connection);
  ObjectType(name, { description: `A page of ${worded(many)}. ${metaOf(cls).description}` })(connection);
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
