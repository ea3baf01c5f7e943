import { getMetadataStorage } from 'type-graphql';
import { typeNameOf } from '../../kernel/declare/fields/generated.js';
import { type FieldMeta, metaOf, type RecordClass } from '../../kernel/declare/meta.js';
import type { Module } from '../../kernel/serve/module.js';

/** Modules that own the root fields and record fields. Each field has exactly one owner. */
export interface Ownership {
  /** Record classes, keyed by type name. */
  readonly records: ReadonlyMap<string, RecordClass>;
  /** Module names, keyed by record type. */
  readonly moduleByRecord: ReadonlyMap<string, string>;
  /** Module that declares a field, such as `Query.team` or `User.favorites`. Throws if no module does. */
  ownerOf(type: string, field: string): string;
}

const nameOf = (getType?: () => unknown): string => {
  const type = getType?.();
  return typeof type === 'function' ? type.name : '';
};

/**
 * Determines the owners of fields from the module manifests and the type-graphql metadata. Throws if a field has two owners. If
 * `builtNames` is set, only fields of these modules have an owner.
 */
export function ownershipOf(modules: readonly Module[], builtNames?: readonly string[]): Ownership {
  const owners = new Map<string, string>();
  const builtModules = builtNames ? modules.filter(({ name }) => builtNames.includes(name)) : modules;
  const moduleOf = new Map(
    builtModules.flatMap(({ name, resolverClasses }) => resolverClasses.map((cls) => [cls as unknown, name] as const)),
  );
  const moduleByRecord = new Map(modules.flatMap(({ name, records }) => records.map((cls) => [cls.name, name] as const)));
  const records = new Map(modules.flatMap((module) => module.records.map((cls) => [cls.name, cls] as const)));
  const addOwner = (path: string, name: string | undefined) => {
    if (!name) return;
    const previousOwner = owners.get(path);
    if (previousOwner && previousOwner !== name) throw new Error(`${path} belongs to two modules, ${previousOwner} and ${name}`);
    owners.set(path, name);
  };
  const { queries, mutations, subscriptions, fieldResolvers } = getMetadataStorage();
  for (const { schemaName, target } of queries) addOwner(`Query.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target } of mutations) addOwner(`Mutation.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target } of subscriptions) addOwner(`Subscription.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target, getObjectType } of fieldResolvers)
    addOwner(`${nameOf(getObjectType)}.${schemaName}`, moduleOf.get(target));
  for (const { name, fields } of builtModules) for (const field of fields) addOwner(`${typeNameOf(field)}.${field.name}`, name);
  return {
    records,
    moduleByRecord,
    ownerOf(type, field) {
      const owner = owners.get(`${type}.${field}`) ?? moduleByRecord.get(type);
      if (!owner) throw new Error(`no module owns ${type}.${field}`);
      return owner;
    },
  };
}

/** Returns the alternate keys of a record, such as a slug or a code. These are its unique public text fields. */
export const alternateKeysOf = (cls: RecordClass): readonly FieldMeta[] =>
  [...metaOf(cls).fields.values()].filter(
    ({ kind, unique, secret, private: isPrivate, conversion }) =>
      kind === 'text' && unique && !secret && !isPrivate && !conversion,
  );
