import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, isAbstractType, isEnumType, isObjectType, isScalarType, isSpecifiedScalarType } from 'graphql';
import type { Context } from '../kernel/declare/context.js';
import type { RecordClass } from '../kernel/declare/meta.js';
import { guard } from '../kernel/declare/policy.js';
import { optionsOf } from '../kernel/declare/record.js';
import { columnsWanted } from '../kernel/read/select.js';
import type { Resolve } from '../kernel/serve/root-fields.js';
import type { Ownership } from './ownership.js';
import { slice } from './slice.js';

type Resolvers = Parameters<typeof buildSubgraphSchema>[0] extends infer T
  ? T extends { resolvers?: infer R }[]
    ? R
    : never
  : never;

/** A reference as a row: what the caller may read, through the loader, so that a hundred references are one statement. */
const byReference =
  (cls: RecordClass): Resolve =>
  // Async, so that a refusal is the answer of this reference alone.
  async (reference, _, context, info) => {
    guard(optionsOf(cls).read, context.caller);
    const { id } = reference as { id?: unknown };
    return typeof id === 'string' ? context.loaders.one(cls, columnsWanted(cls, info), id) : null;
  };

/** An executable subgraph of one module: the slice's types with the graph's own resolve functions. */
export function subgraphOf(schema: GraphQLSchema, ownership: Ownership, module: string): GraphQLSchema {
  const typeDefs = slice(schema, ownership, module);
  const resolvers: Record<string, unknown> = {};
  for (const definition of typeDefs.definitions) {
    const name = 'name' in definition ? definition.name?.value : undefined;
    const type = name ? schema.getType(name) : undefined;
    if (!name || !type) continue;
    if (isScalarType(type) && !isSpecifiedScalarType(type)) resolvers[name] = type;
    if (isAbstractType(type)) resolvers[name] = { __resolveType: type.resolveType };
    if (isEnumType(type)) resolvers[name] = Object.fromEntries(type.getValues().map((item) => [item.name, item.value]));
    if (!isObjectType(type) || definition.kind !== 'ObjectTypeDefinition') continue;
    const kept = new Set((definition.fields ?? []).map((field) => field.name.value));
    const fields = Object.values(type.getFields()).filter((field) => kept.has(field.name) && field.resolve);
    const table: Record<string, unknown> = Object.fromEntries(fields.map((field) => [field.name, field.resolve]));
    const cls = ownership.records.get(name);
    if (cls)
      table.__resolveReference = (reference: unknown, context: Context, info: Parameters<Resolve>[3]) =>
        byReference(cls)(reference, {}, context, info);
    resolvers[name] = table;
  }
  const built = buildSubgraphSchema([{ typeDefs, resolvers: resolvers as Resolvers }]);
  for (const type of Object.values(built.getTypeMap())) {
    const original = schema.getType(type.name);
    if (!isObjectType(type) || !isObjectType(original)) continue;
    type.extensions = { ...type.extensions, ...original.extensions };
    // What the kernel notes on a field: the columns it needs, its foreign key, its policies.
    for (const field of Object.values(type.getFields()))
      field.extensions = original.getFields()[field.name]?.extensions ?? field.extensions;
  }
  return built;
}
