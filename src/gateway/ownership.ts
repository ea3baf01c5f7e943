import { getMetadataStorage } from 'type-graphql';
import { typeNameOf } from '../kernel/declare/generated.js';
import type { RecordClass } from '../kernel/declare/meta.js';
import type { Module } from '../kernel/serve/module.js';

/** Which module owns what: every root field and every field of a record has exactly one owner. */
export interface Ownership {
  /** The record's class by its type's name. */
  readonly records: ReadonlyMap<string, RecordClass>;
  /** Module by record type. */
  readonly home: ReadonlyMap<string, string>;
  /** The module that declares a root field, or a field of a record: `Query.team`, `User.favorites`. */
  ownerOf(type: string, field: string): string;
}

const nameOf = (getType?: () => unknown): string => {
  const type = getType?.();
  return typeof type === 'function' ? type.name : '';
};

/**
 * Reads from the manifests and from type-graphql's metadata which module declares each field; a field that no module or two modules own stops the
 * boot. Where only some modules are `built`, what others add is not there to be asked for.
 */
export function ownershipOf(modules: readonly Module[], built?: readonly string[]): Ownership {
  const owners = new Map<string, string>();
  const asked = built ? modules.filter(({ name }) => built.includes(name)) : modules;
  const moduleOf = new Map(
    asked.flatMap(({ name, resolverClasses }) => resolverClasses.map((cls) => [cls as unknown, name] as const)),
  );
  const home = new Map(modules.flatMap(({ name, records }) => records.map((cls) => [cls.name, name] as const)));
  const records = new Map(modules.flatMap((module) => module.records.map((cls) => [cls.name, cls] as const)));
  const claim = (path: string, name: string | undefined) => {
    if (!name) return;
    const other = owners.get(path);
    if (other && other !== name) throw new Error(`${path} belongs to two modules, ${other} and ${name}`);
    owners.set(path, name);
  };
  const { queries, mutations, subscriptions, fieldResolvers } = getMetadataStorage();
  for (const { schemaName, target } of queries) claim(`Query.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target } of mutations) claim(`Mutation.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target } of subscriptions) claim(`Subscription.${schemaName}`, moduleOf.get(target));
  for (const { schemaName, target, getObjectType } of fieldResolvers)
    claim(`${nameOf(getObjectType)}.${schemaName}`, moduleOf.get(target));
  for (const { name, fields } of asked) for (const field of fields) claim(`${typeNameOf(field)}.${field.name}`, name);
  return {
    records,
    home,
    ownerOf(type, field) {
      const owner = owners.get(`${type}.${field}`) ?? home.get(type);
      if (!owner) throw new Error(`no module owns ${type}.${field}`);
      return owner;
    },
  };
}
