import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { anyone } from '../kernel/declare/policy.js';
import { optionsOf } from '../kernel/declare/record.js';
import { PageInfo } from '../kernel/serve/connection.js';
import type { Ownership } from './ownership.js';

/** Seconds for which caches may keep what comes with a release. */
const maxAge = 3600;

/** Without a scope, whose enumeration would stand in the graph of routers: what is cached is the same for everybody. */
export const cacheDefinition = 'directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) on OBJECT';

/** What Apollo Server makes `Cache-Control` from, by the types that have it: a module's records that nobody writes and everybody reads, and lists of them. */
export function cacheHintsOf(schema: GraphQLSchema, { records, home }: Ownership, module: string): ReadonlyMap<string, string> {
  const isConstant = (name: string): boolean => {
    const cls = home.get(name) === module ? records.get(name) : undefined;
    return cls !== undefined && optionsOf(cls).constant === true && optionsOf(cls).read.includes(anyone);
  };
  const hints = new Map<string, string>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const { connection, edge } = type.extensions;
    const listed = connection ? type.getFields().nodes : edge ? type.getFields().node : undefined;
    if (isConstant(listed ? getNamedType(listed.type).name : type.name)) hints.set(type.name, `@cacheControl(maxAge: ${maxAge})`);
  }
  if (hints.size) hints.set(PageInfo.name, '@cacheControl(inheritMaxAge: true)');
  return hints;
}
