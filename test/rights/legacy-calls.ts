import { getNamedType, Kind, parse } from 'graphql';
import { codecsOf, entriesOf, type RouteEntry } from '../../compat/engine/index.js';
import { isReader, type Reader } from '../../compat/engine/request/reader.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import type { CallTarget, Field } from './calls.js';
import { freshRow } from './rows.js';

const schema = graphOfModules();
export const codecs = codecsOf(schema, legacyRecords, () => undefined);
/** Returns the mutation that an operation runs, or null if it runs none. */
const mutationOf = ({ alternatives: [route] }: RouteEntry): Field | null => {
  const [definition] = parse(route?.operation ?? '').definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'mutation') return null;
  const [root] = definition.selectionSet.selections;
  return (root?.kind === Kind.FIELD && schema.getMutationType()?.getFields()[root.name.value]) || null;
};

/** An operation that runs a mutation. */
export interface LegacyWrite {
  readonly entry: RouteEntry;
  readonly field: Field;
  /** Name of the type that the mutation returns. */
  readonly type: string;
}

export const legacyWrites: readonly LegacyWrite[] = entriesOf(legacyRoutes).flatMap((entry) => {
  const field = mutationOf(entry);
  return field ? [{ entry, field, type: getNamedType(field.type).name }] : [];
});

/** Returns the record that an operation expects as its body or under `payload`. */
export function recordIn({ alternatives: [route] }: RouteEntry): Reader['body'] {
  const reader = Object.values(route?.args ?? {}).find((value) => isReader(value) && value.body);
  return reader && isReader(reader) ? reader.body : undefined;
}

/** Record types that path parameters identify, keyed by parameter. */
const typeOfParam: Readonly<Record<string, string>> = {
  image_uuid: 'UserImage',
  biography_uuid: 'Biography',
  favorite_uuid: 'Favorite',
  sponsor_uuid: 'Sponsor',
  module_uuid: 'NewsItem',
  item_uuid: 'UserImage',
};
/** Values of path parameters that are not IDs of records. */
const fixedParams: Readonly<Record<string, string>> = {
  item_type: '76',
  module_for: 'news',
  action: '1',
  random_string: 'x',
  token: 'x',
};

/** Returns the path of an operation with the IDs of fresh rows of the owner as its parameters. */
export async function pathOf({ app, cast }: CallTarget, { path, params }: RouteEntry, type: string): Promise<string> {
  let filled = path;
  for (const param of params) {
    const isOwner = path.startsWith('/v1/users/{uuid}/') && param === 'uuid';
    // The fresh comment of the owner belongs to the item `x`.
    if (param === 'item_uuid' && path.includes('/comments/')) filled = filled.replace('{item_uuid}', 'x');
    const recordType = isOwner ? 'User' : (typeOfParam[param] ?? type);
    const value = fixedParams[param] ?? (await freshRow(app.sql, recordType, cast.owner.id));
    filled = filled.replace(`{${param}}`, value);
  }
  return filled;
}
