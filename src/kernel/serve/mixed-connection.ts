import type { GeneratedType, Resolve, TypeReference } from '../declare/fields/generated.js';
import { recordNamed } from '../declare/meta.js';
import type { Row } from '../declare/row.js';
import { type Connection, connectionType } from './connection.js';
import { readTypedRow } from './subjects.js';

const readItem = ({ $type, id }: Row, [, , context, info]: Parameters<Resolve>) =>
  readTypedRow(context, recordNamed(String($type)), String(id), info);

const nodes: Resolve = async (...args) => {
  const { page } = args[0] as Connection;
  const rows = await Promise.all(page.rows.map((row) => readItem(row, args)));
  return rows.filter((row) => row !== null);
};

const node: Resolve = (...args) => readItem((args[0] as { node: Row }).node, args);

/**
 * Returns a connection type for a list of records of several types. `item` is a union or an interface. The rows of a page have only `$type` and `id`.
 * Each item is read by them.
 */
export const mixedConnectionOf = (name: string, item: TypeReference, description: string): GeneratedType =>
  connectionType({
    name,
    item,
    description,
    edgeDescription: 'An item of a list, with its cursor.',
    nodes,
    node: { isNullable: true, description: 'Null if the item was deleted while the list was read.', resolve: node },
  });
