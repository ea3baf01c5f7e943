import { type ConstDirectiveNode, type GraphQLField, type GraphQLSchema, getNamedType, isObjectType, Kind, parse } from 'graphql';
import { anyone, type Policy, policiesOf } from '../../kernel/declare/policy/policy.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { PageInfo } from '../../kernel/serve/connection.js';
import type { Ownership } from './ownership.js';

/** Parses a directive, such as `@tag(name: "legacy")`. */
export const parseDirective = (text: string): ConstDirectiveNode => {
  const [type] = parse(`type X ${text} { x: Int }`, { noLocation: true }).definitions;
  const node = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.directives?.[0] : undefined;
  if (!node) throw new Error(`no directive: ${text}`);
  return node;
};

/** Adds directives to a node of a schema. */
export const withDirectives = <Node extends { readonly directives?: readonly ConstDirectiveNode[] | undefined }>(
  node: Node,
  ...directives: readonly ConstDirectiveNode[]
): Node => ({ ...node, directives: [...(node.directives ?? []), ...directives] });

/** Audiences of the graph, from the widest to the narrowest. An audience also sees everything that wider audiences see. */
export const audiences = ['public', 'partner', 'internal'] as const;

export type Audience = (typeof audiences)[number];

export const isAudience = (name: unknown): name is Audience => audiences.some((audience) => audience === name);

/** Returns the names of the rights for `@policy`. A caller needs at least one of them. Returns an empty list if all callers are allowed. */
const rightsOf = (policies: readonly Policy[]): readonly string[] =>
  policies.some(({ policyNames }) => !policyNames.length)
    ? []
    : [...new Set(policies.flatMap(({ policyNames: rights }) => rights))];

/** Returns the widest audience that the policies allow. Publishable keys and signed-in users belong to `public`, platforms to `partner`. */
function audienceOf(policies: readonly Policy[]): Audience {
  const rights = rightsOf(policies);
  if (!policies.length) return 'internal';
  if (!rights.length || rights.includes('user') || rights.includes('publishable')) return 'public';
  return rights.includes('platform') ? 'partner' : 'internal';
}

/** Whether an audience sees fields with these policies. */
export const isVisibleTo = (audience: Audience, policies: readonly Policy[]): boolean =>
  audiences.indexOf(audienceOf(policies)) <= audiences.indexOf(audience);

/** Yields the directives that tell routers which callers may select a field. Yields none if the field has no policies. */
export function* audienceDirectives(
  { extensions }: GraphQLField<unknown, unknown>,
  { policies: hasPolicyDirectives }: { policies?: boolean },
): Iterable<string> {
  const policies = policiesOf(extensions);
  if (!policies) return;
  yield `@tag(name: "${audienceOf(policies)}")`;
  const rights = rightsOf(policies);
  if (hasPolicyDirectives && rights.length) yield `@policy(policies: ${JSON.stringify(rights.map((right) => [right]))})`;
}

/** Maximum age of cached reference data in seconds. Reference data changes only with a release. */
const maxAge = 3600;

/** Definition of `@cacheControl` without the argument `scope`, which would add an enum to the supergraph. All cached data is public. */
export const cacheDefinition = 'directive @cacheControl(maxAge: Int, inheritMaxAge: Boolean) on OBJECT';

/**
 * Returns the cache directives for the public reference data of a module and its connections, keyed by type name. Apollo Server derives
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
