import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { anyone } from '../../kernel/declare/policy/policy.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { PageInfo } from '../../kernel/serve/connection.js';
import type { Ownership } from './ownership.js';

/** Maximum age of cached reference data in seconds. Reference data changes only with a release. */
const maxAge = 3600;

/** Omits the argument `scope`, which would add an enum to the supergraph. All cached data is public. */
export const cacheDefinition = 'directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) on OBJECT';

/**
 * Cache directives by type name, for the constant public records of a module and their connections. Apollo Server derives
 * `Cache-Control` from them.
 */
export function cacheHintsOf(
  schema: GraphQLSchema,
  { records, moduleByRecord }: Ownership,
  module: string,
): ReadonlyMap<string, string> {
  const isConstant = (name: string): boolean => {
    const cls = moduleByRecord.get(name) === module ? records.get(name) : undefined;
    return cls !== undefined && optionsOf(cls).constant === true && optionsOf(cls).read.includes(anyone);
  };
  const hints = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const { connection, edge } = type.extensions;
    const itemField = connection ? type.getFields().nodes : edge ? type.getFields().node : undefined;
    if (isConstant(itemField ? getNamedType(itemField.type).name : type.name))
      hints.set(type.name, `@cacheControl(maxAge: ${maxAge})`);
  }
  if (hints.size) hints.set(PageInfo.name, '@cacheControl(inheritMaxAge: true)');
  return hints;
}
