import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { classNamed, type RecordClass, recordNamed } from '../declare/meta.js';
import type { Row } from '../declare/row.js';
import { type Connection, describePage, PageInfo } from './connection.js';
import type { Resolve } from './root-fields.js';
import { subjectOf } from './subjects.js';

/**
 * The connection type of a list of records of several kinds, which are a union or an interface of the graph. The rows of its pages are no
 * records yet: each says by `$type` and `id` which one it stands for.
 */
export function mixedConnectionOf(name: string, item: object, description: string): RecordClass {
  const edge = classNamed(`${name}Edge`);
  Field(() => String)(edge.prototype, 'cursor');
  Field(() => item, { nullable: true, description: 'Null if the item was deleted while the list was read.' })(
    edge.prototype,
    'node',
  );
  Extensions({ edge: true, mixed: true })(edge);
  ObjectType(edge.name, { description: 'An item in a list, with its cursor.' })(edge);
  const connection = classNamed(`${name}Connection`);
  Field(() => [item])(connection.prototype, 'nodes');
  Field(() => [edge])(connection.prototype, 'edges');
  Field(() => PageInfo)(connection.prototype, 'pageInfo');
  Field(() => Int, { description: 'Total number of items in the list.' })(connection.prototype, 'totalCount');
  describePage(connection, edge);
  Extensions({ connection: true, mixed: true })(connection);
  ObjectType(connection.name, { description })(connection);
  return connection;
}

const read = ({ $type, id }: Row, [, , context, info]: Parameters<Resolve>) =>
  subjectOf(context, recordNamed(String($type)), String(id), info);

const nodes: Resolve = async (...args) => {
  const { page } = args[0] as Connection;
  const rows = await Promise.all(page.rows.map((ref) => read(ref, args)));
  return rows.filter((row) => row !== null);
};

const node: Resolve = (...args) => read((args[0] as { node: Row }).node, args);

/** Plain resolve functions of what such connections, and their edges, have otherwise than those of one record: each item is read as the kind that it is. */
export const mixedResolvers = { nodes };
export const mixedEdgeResolvers = { node };
