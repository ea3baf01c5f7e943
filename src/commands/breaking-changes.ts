import { CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** A part of the schema that can be deprecated: a field, an argument or an enum value. */
interface SchemaElement {
  /** Schema coordinate with dots, such as `Team.seed`, `Query.teams.first` or `Phase.OVER`. */
  readonly path: string;
  readonly reason: string | null | undefined;
  /** Types that clients can reach through the element. */
  readonly types: readonly GraphQLNamedType[];
  /** Arguments of a field. Removing the field also removes its arguments. */
  readonly children: readonly SchemaElement[];
}

/** A field, argument or enum value of graphql-js. */
interface SchemaMember {
  readonly deprecationReason?: string | null | undefined;
  readonly type?: GraphQLType;
  readonly args?: readonly GraphQLArgument[];
}

const elementOf = (path: string, { deprecationReason: reason, type, args = [] }: SchemaMember): SchemaElement => ({
  path,
  reason,
  types: type ? [getNamedType(type)] : [],
  children: args.map((arg) => elementOf(`${path}.${arg.name}`, arg)),
});

function elementsOf(type: GraphQLNamedType): SchemaElement[] {
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
  const members: readonly (SchemaMember & { name: string })[] = isEnumType(type)
    ? type.getValues()
    : hasFields
      ? Object.values(type.getFields())
      : [];
  return members.map((member) => elementOf(`${type.name}.${member.name}`, member));
}

/** Returns the first valid date in a deprecation reason, such as `2027-01-31`, or null if the reason contains no valid date. */
function dateIn(reason: string): string | null {
  const [day = null] = /\b\d{4}-\d\d-\d\d\b/.exec(reason) ?? [];
  return day !== null && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : null;
}

/**
 * Returns the names of types and the paths of elements that clients may still use. Elements past their removal date are excluded, and so are
 * types that only these elements refer to.
 */
function protectedPaths(schema: GraphQLSchema, today: string): ReadonlySet<string> {
  const isExpired = ({ reason }: SchemaElement): boolean => {
    const day = dateIn(reason ?? '');
    return day !== null && day <= today;
  };
  const paths = new Set<string>();
  const queue: (GraphQLNamedType | null | undefined)[] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ];
  const add = (element: SchemaElement): void => {
    if (isExpired(element)) return;
    paths.add(element.path);
    queue.push(...element.types);
    element.children.forEach(add);
  };
  for (let type = queue.pop(); type !== undefined || queue.length; type = queue.pop()) {
    if (!type || paths.has(type.name)) continue;
    paths.add(type.name);
    elementsOf(type).forEach(add);
    if (isUnionType(type)) queue.push(...type.getTypes());
    // `Node` is skipped, because all records implement it, so it would make every record reachable.
    if (isInterfaceType(type) && type.name !== 'Node') queue.push(...schema.getPossibleTypes(type));
  }
  return paths;
}

/**
 * Returns a message for each breaking change that is not allowed yet. An element can be changed or removed on or after the date in its
 * deprecation reason. A type can be removed once no other element that clients may use refers to it. `today` is an ISO date.
 */
export async function forbiddenChanges(before: GraphQLSchema, after: GraphQLSchema, today: string): Promise<string[]> {
  const protectedNames = protectedPaths(before, today);
  const previousPaths = new Set(
    Object.values(before.getTypeMap()).flatMap((type) => [type.name, ...elementsOf(type).flatMap(pathsOf)]),
  );
  const isRemovable = (path: string): boolean => {
    const names = path.split('.');
    const prefixes = names.map((_, index) => names.slice(0, index + 1).join('.'));
    return prefixes.some((prefix) => previousPaths.has(prefix) && !protectedNames.has(prefix));
  };
  const changes = await diff(before, after);
  return changes
    .filter(({ criticality, path }) => criticality.level === CriticalityLevel.Breaking && !isRemovable(path ?? ''))
    .map(({ message }) => message);
}

const pathsOf = ({ path, children }: SchemaElement): string[] => [path, ...children.flatMap(pathsOf)];

/** Returns the paths and reasons of deprecated elements that lack a removal date or a replacement, such as "Use `title`". */
export const incompleteDeprecations = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => elementsOf(type).flatMap((element) => [element, ...element.children]))
    .filter(({ reason }) => typeof reason === 'string' && !(dateIn(reason) && /\bUse `[^`]+`/.test(reason)))
    .map(({ path, reason }) => `${path}: ${reason}`);
