import { Extensions, Field, ID, InterfaceType } from 'type-graphql';

/** Description of the field `nodeId`. */
export const nodeIdText = 'Globally unique ID, for `node(id:)`.';

/** Every record that the graph shows, by an id that no other record of any kind has. */
@InterfaceType('Node', {
  description:
    'A record of any kind, with an id that no other record of any kind has: `node(id:)` and `nodes(ids:)` read it by that id.',
})
export class Node {
  @Extensions({ shared: true })
  @Field(() => ID, { description: nodeIdText })
  nodeId!: string;
}

const separator = ':';

/** The id of a record among those of all kinds. */
export const nodeIdOf = (type: string, id: unknown): string =>
  Buffer.from(`${type}${separator}${String(id)}`).toString('base64url');

/** The kind and the plain id that such an id stands for; null where it is none. */
export function readNodeId(nodeId: string): { type: string; id: string } | null {
  const text = Buffer.from(nodeId, 'base64url').toString();
  const end = text.indexOf(separator);
  const type = text.slice(0, end);
  const id = text.slice(end + 1);
  // Only what this service would write itself: several texts would stand for the same bytes.
  return end > 0 && id !== '' && nodeIdOf(type, id) === nodeId ? { type, id } : null;
}
