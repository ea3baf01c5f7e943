import { CriticalityLevel, diff } from '@graphql-inspector/core';
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';

/** A field, an argument or a value that may be deprecated, by its path: `Team.seed`, `Query.teams.first`, `Phase.OVER`. */
interface Part {
  readonly path: string;
  readonly reason: string | null | undefined;
  /** The types that it brings with it. */
  readonly types: readonly GraphQLNamedType[];
  /** Its arguments, which go with it. */
  readonly parts: readonly Part[];
}

function partsOf(type: GraphQLNamedType): Part[] {
  const path = (name: string) => `${type.name}.${name}`;
  if (isEnumType(type))
    return type.getValues().map(({ name, deprecationReason: reason }) => ({ path: path(name), reason, types: [], parts: [] }));
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => ({
      path: path(field.name),
      reason: field.deprecationReason,
      types: [getNamedType(field.type)],
      parts: [],
    }));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  return Object.values(type.getFields()).map((field) => ({
    path: path(field.name),
    reason: field.deprecationReason,
    types: [getNamedType(field.type)],
    parts: field.args.map((arg) => ({
      path: `${path(field.name)}.${arg.name}`,
      reason: arg.deprecationReason,
      types: [getNamedType(arg.type)],
      parts: [],
    })),
  }));
}

/** The day that a reason names, as `2027-01-31`; null where it names none. */
function dayIn(reason: string): string | null {
  const [day = null] = /\b\d{4}-\d\d-\d\d\b/.exec(reason) ?? [];
  return day !== null && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ? day : null;
}

/** What is left of a schema once everything is gone whose day has come: types by their names, and parts by their paths. */
function remainderOf(schema: GraphQLSchema, today: string): ReadonlySet<string> {
  const isOver = ({ reason }: Part): boolean => {
    const day = dayIn(reason ?? '');
    return day !== null && day <= today;
  };
  const left = new Set<string>();
  const queue: (GraphQLNamedType | null | undefined)[] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ];
  const keep = (part: Part): void => {
    if (isOver(part)) return;
    left.add(part.path);
    queue.push(...part.types);
    part.parts.forEach(keep);
  };
  for (let type = queue.pop(); type !== undefined || queue.length; type = queue.pop()) {
    if (!type || left.has(type.name)) continue;
    left.add(type.name);
    partsOf(type).forEach(keep);
    if (isUnionType(type)) queue.push(...type.getTypes());
    // Every record is a Node: that alone holds none.
    if (isInterfaceType(type) && type.name !== 'Node') queue.push(...schema.getPossibleTypes(type));
  }
  return left;
}

/**
 * What a change of the schema takes from clients before its time: a part may go, or change as it likes, from the day on that the reason of
 * its deprecation names, and a type once nothing is left that leads to it. `today` is an ISO date.
 */
export async function refusedChanges(before: GraphQLSchema, after: GraphQLSchema, today: string): Promise<string[]> {
  const left = remainderOf(before, today);
  const known = new Set(Object.values(before.getTypeMap()).flatMap((type) => [type.name, ...partsOf(type).flatMap(pathsOf)]));
  const mayGo = (path: string): boolean => {
    const steps = path.split('.');
    const prefixes = steps.map((_, index) => steps.slice(0, index + 1).join('.'));
    return prefixes.some((prefix) => known.has(prefix) && !left.has(prefix));
  };
  const changes = await diff(before, after);
  return changes
    .filter(({ criticality, path }) => criticality.level === CriticalityLevel.Breaking && !mayGo(path ?? ''))
    .map(({ message }) => message);
}

const pathsOf = ({ path, parts }: Part): string[] => [path, ...parts.flatMap(pathsOf)];

/** Deprecated parts whose reasons do not say what to use instead, in backticks, and from which day on they may be gone. */
export const vagueDeprecations = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => partsOf(type).flatMap((part) => [part, ...part.parts]))
    .flatMap(({ path, reason }) => {
      if (reason === null || reason === undefined) return [];
      return dayIn(reason) && /\bUse `[^`]+`/.test(reason) ? [] : [`${path}: ${reason}`];
    });
