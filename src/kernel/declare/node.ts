import { Extensions, Field, ID, InterfaceType } from 'type-graphql';

/** Description of the field `nodeId`. */
export const nodeIdDescription = 'Globally unique ID, for `node(id:)`.';

/** Interface `Node`, which all records in the graph implement. */
@InterfaceType('Node', {
  description: 'A record of any type, with a globally unique ID for `node(id:)` and `nodes(ids:)`.',
})
export class Node {
  @Extensions({ shared: true })
  @Field(() => ID, { description: nodeIdDescription })
  nodeId!: string;
}

const separator = ':';

/** Encodes the globally unique ID of a record. */
export const nodeIdOf = (type: string, id: unknown): string =>
  Buffer.from(`${type}${separator}${String(id)}`).toString('base64url');

/** Decodes a globally unique ID into a type and an ID. Returns null if the globally unique ID is not valid. */
export function readNodeId(nodeId: string): { type: string; id: string } | null {
  const text = Buffer.from(nodeId, 'base64url').toString();
  const end = text.indexOf(separator);
  const type = text.slice(0, end);
  const id = text.slice(end + 1);
  // Accepts only the canonical encoding, because several base64url strings decode to the same bytes.
  return end > 0 && id !== '' && nodeIdOf(type, id) === nodeId ? { type, id } : null;
}
