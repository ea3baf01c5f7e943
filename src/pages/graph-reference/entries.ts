import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isUnionType,
} from 'graphql';
import { ownershipOf } from '../../graphql/federation/ownership.js';
import { permittedCallers, policiesOf } from '../../kernel/declare/policy/policy.js';
import { modules } from '../../modules/index.js';

export type GraphField = GraphQLField<unknown, unknown>;

/** A root field or type. It has a page in the GraphQL reference. */
export interface GraphEntry {
  /** Schema coordinate, such as `Query.tournaments` or `Tournament`. */
  readonly coordinate: string;
  /** Kind of the root field or type, such as `query` or `enum`. */
  readonly kind: string;
  readonly module: string;
  readonly description: string;
  /** Callers with permission to use a root field. Null for types. */
  readonly callers: string | null;
  readonly field: GraphField | null;
  readonly type: GraphQLNamedType | null;
}

/** Root fields and types of one module. */
export interface GraphEntryGroup {
  readonly title: string;
  readonly description: string;
  readonly entries: readonly GraphEntry[];
}

const sharedGroup = { title: 'shared', description: 'Types that several modules use.' };

const kinds = [
  [isEnumType, 'enum'],
  [isInputObjectType, 'input'],
  [isInterfaceType, 'interface'],
  [isUnionType, 'union'],
  [isScalarType, 'scalar'],
  [isObjectType, 'type'],
] as const;

const kindOf = (type: GraphQLNamedType): string => kinds.find(([isKind]) => isKind(type))?.[1] ?? 'type';

/** Returns all root fields and types of a schema, grouped by module. */
export function entryGroups(schema: GraphQLSchema): readonly GraphEntryGroup[] {
  const { ownerOf, moduleByRecord } = ownershipOf(modules);
  const records = [...moduleByRecord.keys()].toSorted((a, b) => b.length - a.length);
  const moduleOfType = (name: string): string =>
    moduleByRecord.get(records.find((record) => name.startsWith(record)) ?? '') ??
    modules.find(({ values = [] }) => values.some((value) => value.name === name))?.name ??
    sharedGroup.title;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((root) => root != null);
  const fields = roots.flatMap((root) =>
    Object.values(root.getFields()).map((field): GraphEntry => {
      const policies = policiesOf(field.extensions);
      return {
        coordinate: `${root.name}.${field.name}`,
        kind: root.name.toLowerCase(),
        module: field.name.startsWith('_') || field.name === 'node' ? sharedGroup.title : ownerOf(root.name, field.name),
        // Removes the callers, which the page shows separately.
        description: (field.description ?? '').replace(/ For: .*$/, ''),
        callers: policies && permittedCallers(policies),
        field,
        type: null,
      };
    }),
  );
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !roots.some((root) => root === type))
    .map((type): GraphEntry => {
      const description = type.description ?? '';
      const module = moduleOfType(type.name);
      return { coordinate: type.name, kind: kindOf(type), module, description, callers: null, field: null, type };
    });
  const allEntries = [...fields, ...types];
  const isLookupModule = ({ name }: { name: string }) => name === 'reference';
  // The module `reference` comes last, because its many lookup types are rarely of interest.
  const sortedModules = modules.toSorted((a, b) => Number(isLookupModule(a)) - Number(isLookupModule(b)));
  return [...sortedModules.map(({ name, description }) => ({ title: name, description })), sharedGroup]
    .map((group) => ({ ...group, entries: allEntries.filter(({ module }) => module === group.title) }))
    .filter(({ entries }) => entries.length > 0);
}
