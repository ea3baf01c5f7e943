import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isObjectType,
} from 'graphql';
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import type { Context } from '../declare/context.js';
import { meaningsByCoordinate } from '../declare/meaning.js';
import { columnsOf, type FieldMeta, groupOf, isShownTo, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { nodeIdOf } from '../declare/node.js';
import { guard, policiesOf, whoOf } from '../declare/policy.js';
import { isLegacy, legacyOf, parentOfLegacy } from '../declare/shown.js';
import { objectMaker } from '../object-maker.js';
import { showsField } from '../read/restriction.js';
import type { Row } from '../session.js';
import { unset } from '../write/input-values.js';
import { eventResolvers } from './change-types.js';
import { computedFields } from './computed-fields.js';
import { connectionResolvers, edgeResolvers, pageInfoResolvers } from './connection.js';
import { findExtensionsByName } from './extensions-by-name.js';
import { noPubSub, subscribing } from './live-events.js';
import { mixedEdgeResolvers, mixedResolvers } from './mixed-connection.js';
import type { Module } from './module.js';
import { relationResolvers, relationsOf } from './relations.js';
import { type Resolve, rootResolvers } from './root-fields.js';
import { typeOfRow } from './subjects.js';
import { canResolvers, checkActions, viewerCanResolvers } from './viewer-can.js';

/** A group's object, made of the columns of its record that were selected; `$type` and `$id` tell its computed fields whose it is. */
function groupResolver(meta: RecordMeta, name: string): Resolve {
  const parts = [...columnsOf(meta).keys()]
    .filter((key) => key.startsWith(`${name}.`))
    .map((key): [string, string] => [key.slice(name.length + 1), `from[${JSON.stringify(key)}]`]);
  const make = objectMaker<Row, Row>([['$type', JSON.stringify(meta.name)], ['$id', 'from.id'], ...parts]);
  return (source) => make(source as Row);
}

/** Whether some callers do not see a field. */
const isHidden = (field: FieldMeta): boolean => field.private === true || field.shownTo !== undefined;

/** A hidden field reads as unset to callers who may not see it: null, or false for a flag. */
function hiddenResolver({ options }: RecordMeta, field: FieldMeta): Resolve {
  const { name, kind, private: isPrivate } = field;
  const hidden = kind === 'flag' ? false : null;
  return (source, _, { caller }) => {
    const isShown = isShownTo(field, caller) && (!isPrivate || options?.shows?.(source as Row, caller));
    return isShown ? (source as Row)[name] : hidden;
  };
}

/** Returns the stored value of a field to callers who may see it. */
const storedResolver = (meta: RecordMeta, field: FieldMeta): Resolve =>
  isHidden(field) ? hiddenResolver(meta, field) : (source) => (source as Row)[field.name];

/** Resolvers of the fields that convert the stored value, by name. */
function shownResolvers(meta: RecordMeta): Map<string, Resolve> {
  const made = new Map<string, Resolve>();
  for (const field of meta.fields.values()) {
    const { name, shown } = field;
    if (!shown) continue;
    const stored = storedResolver(meta, field);
    made.set(name, (source, args, context, info) => {
      const value: unknown = stored(source, args, context, info);
      return value === null || value === undefined ? null : shown.show(value);
    });
  }
  return made;
}

/** Resolvers of the fields of the object `legacy`, by name. */
const legacyResolvers = (meta: RecordMeta): Map<string, Resolve> =>
  new Map(
    [...meta.fields.values()].flatMap((field) => {
      const stored = legacyOf(field);
      return stored ? [[stored.name, storedResolver(meta, field)] as const] : [];
    }),
  );

/** Resolver of the object `legacy`, which reads from the row of its parent. */
const sameRow: Resolve = (source) => source;

/** A list of keys, empty for whom its row does not show it. */
function restrictedResolver(meta: RecordMeta, name: string): Resolve {
  return (source, _, { caller }) => (showsField(meta, name, source as Row, caller) ? (source as Row)[name] : []);
}

/** What JSON values leave out while it is unset, and still have to show. */
const isSparse = (field: FieldMeta): boolean => field.required && unset(field) !== null;

const sparseResolver =
  (field: FieldMeta): Resolve =>
  (source) =>
    (source as Row)[field.name] ?? unset(field);

/**
 * Puts a field's policies before its resolver and into its description; a root field without one stops the boot. What may be refused is
 * nullable: a refusal is null at its place, with its error, and spoils nothing beside it.
 */
function guarded(type: GraphQLObjectType, field: GraphQLField<unknown, Context>, isRoot: boolean): void {
  const policies = policiesOf(field.extensions);
  if (isRoot && !policies) throw new Error(`${type.name}.${field.name} states no policy: add @allow(…)`);
  if (!policies) return;
  field.type = getNullableType(field.type);
  field.description = `${field.description} For: ${whoOf(policies)}`;
  // Looked at when somebody subscribes, and whenever something is told of them: what all are told alike is worked out once.
  if (type.name === 'Subscription') return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const isMutation = type.name === 'Mutation';
  field.resolve = (source, args, context, info) => {
    guard(policies, context.caller, args);
    if (isMutation) context.sql.writes();
    return resolve(source, args, context, info);
  };
}

/** type-graphql leaves out the same resolvers of fields for each field anew. */
function filterOnce(): void {
  const { fieldResolvers } = getMetadataStorage();
  let served: typeof fieldResolvers | undefined;
  fieldResolvers.filter = (isServed: Parameters<typeof fieldResolvers.filter>[0]) => {
    served ??= [...fieldResolvers].filter(isServed);
    return served;
  };
}

/**
 * Builds the one executable schema. type-graphql makes the types; then every plain field loses its wrapper, and
 * rootFields, relations, groups and connections get plain functions (a wrapped field costs several promises a value).
 * With names it has the root fields of these modules, what they add to the records of all, and what is mentioned there.
 */
export function buildGraph(modules: readonly Module[], names?: readonly string[]): GraphQLSchema {
  checkActions();
  const served = names ? modules.filter(({ name }) => names.includes(name)) : modules;
  // A value type, such as `Place`, has all of its fields in every subgraph, relations included.
  const ofValues = modules.flatMap(({ values = [] }) => values.flatMap(relationsOf));
  const resolvers = [
    ...new Set([...served.flatMap((module) => module.allResolvers), ...ofValues]),
  ] as unknown as NonEmptyArray<RecordClass>;
  const known = new Set<unknown>(resolvers);
  // type-graphql asks this of every field and every resolver, a million times.
  resolvers.includes = (cls) => known.has(cls);
  // Decorators of parameters run from the last to the first, and arguments would stand in the graph in that order.
  getMetadataStorage().params.sort((a, b) => a.index - b.index);
  if (names) makeTypes(known);
  findExtensionsByName();
  filterOnce();
  const schema = buildSchemaSync({ resolvers, validate: false, skipCheck: true, pubSub: noPubSub });
  const computed = computedFields();
  const records = new Map(
    modules.flatMap(({ records, values = [] }) => [...records, ...values]).map((cls) => [cls.name, metaOf(cls)]),
  );
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) type.resolveType = typeOfRow;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    const isSubscription = type === schema.getSubscriptionType();
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType() || isSubscription;
    const meta = records.get(type.name);
    const parent = parentOfLegacy(type.name);
    const shown = meta ? shownResolvers(meta) : parent && legacyResolvers(parent);
    for (const field of Object.values(type.getFields())) {
      const path = `${type.name}.${field.name}`;
      const plain =
        rootResolvers.get(path) ??
        relationResolvers.get(path) ??
        viewerCanResolvers.get(path) ??
        eventResolvers.get(path) ??
        special(type, field.name);
      const declared = meta?.fields.get(field.name);
      const showing = computed.has(path) ? undefined : shown?.get(field.name);
      const direct = computed.get(path);
      if (plain) field.resolve = plain;
      else if (direct) field.resolve = direct;
      else if (showing) field.resolve = showing;
      else if (isLegacy(field)) field.resolve = sameRow;
      else if (field.name === 'nodeId' && meta?.options) field.resolve = (source) => nodeIdOf(type.name, (source as Row).id);
      else if (meta && declared && declared.kind === 'group')
        field.resolve = groupResolver(meta, groupOf(declared) && field.name);
      else if (meta && declared && isHidden(declared) && !computed.has(path)) field.resolve = hiddenResolver(meta, declared);
      else if (meta?.options?.restricted?.of.includes(field.name)) field.resolve = restrictedResolver(meta, field.name);
      else if (meta && declared && !meta.options && isSparse(declared)) field.resolve = sparseResolver(declared);
      else if (!isRoot && !computed.has(path)) delete field.resolve;
      if (isSubscription) subscribing(field);
      guarded(type, field, isRoot);
    }
  }
  addMeanings(schema);
  return schema;
}

/** Adds the descriptions of `meaningsByCoordinate` to enum values and arguments, for the references only. */
function addMeanings(schema: GraphQLSchema): void {
  for (const [coordinate, meaning] of meaningsByCoordinate) {
    const [name = '', member = '', argument] = coordinate.split('.');
    const type = schema.getType(name);
    const described = isEnumType(type)
      ? type.getValue(member)
      : isObjectType(type) && type.getFields()[member]?.args.find((arg) => arg.name === argument);
    if (described) described.extensions = { ...described.extensions, meaning };
  }
}

/** Creates all types of the resolvers now, because type-graphql collects the types before it calls the functions that create them. */
function makeTypes(resolvers: ReadonlySet<unknown>): void {
  const { resolverClasses, fieldResolvers, params, queries, mutations, subscriptions, fields } = getMetadataStorage();
  const ofFields = new Set(fieldResolvers.map(({ target }) => target));
  for (const { target, getObjectType } of resolverClasses) if (ofFields.has(target)) getObjectType?.();
  for (const { target, getReturnType } of [...queries, ...mutations, ...subscriptions])
    if (resolvers.has(target)) getReturnType();
  for (const { target, getType } of fieldResolvers) if (resolvers.has(target)) getType?.();
  const asked = params.flatMap((param) => ('getType' in param && resolvers.has(param.target) ? [param.getType?.()] : []));
  const lists = new Set<unknown>(asked);
  for (const { target, getType } of fields) if (lists.has(target)) getType();
}

const named = (table: object, field: string): Resolve | undefined => (table as Record<string, Resolve>)[field];

function special(type: GraphQLObjectType, field: string): Resolve | undefined {
  if (type.name === 'ViewerCan') return canResolvers.get(field);
  if (type.name === 'PageInfo') return named(pageInfoResolvers, field);
  const { connection, edge, mixed } = type.extensions;
  if (connection) return (mixed ? named(mixedResolvers, field) : undefined) ?? named(connectionResolvers, field);
  return edge ? ((mixed ? named(mixedEdgeResolvers, field) : undefined) ?? named(edgeResolvers, field)) : undefined;
}
