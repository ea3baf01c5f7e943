import { getMetadataStorage } from 'type-graphql';
import type { Module } from './module.js';

export type RootType = 'Query' | 'Mutation' | 'Subscription';

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

/**
 * Sorts the metadata that type-graphql collects in the order of imports. Types are sorted by name, and fields in the order of their
 * resolver classes in the manifests.
 */
export function sortMetadata(modules: readonly Module[]): void {
  const { fieldResolvers, inputTypes, interfaceTypes, mutations, objectTypes, queries, subscriptions } = getMetadataStorage();
  const positions = new Map<unknown, number>(
    modules.flatMap(({ resolverClasses }) => resolverClasses).map((cls, index) => [cls, index]),
  );
  const positionOf = ({ target }: { readonly target: unknown }) => positions.get(target) ?? -1;
  for (const fields of [queries, mutations, subscriptions, fieldResolvers]) fields.sort((a, b) => positionOf(a) - positionOf(b));
  for (const types of [objectTypes, interfaceTypes, inputTypes]) types.sort(byName);
}

/**
 * Returns the field names of a root type, grouped by module. The generated fields of a module's records come before its handwritten fields.
 */
export function rootFieldNames(modules: readonly Module[], root: RootType): string[] {
  const { mutations, queries, subscriptions } = getMetadataStorage();
  const handwrittenFields = { Query: queries, Mutation: mutations, Subscription: subscriptions }[root];
  return modules.flatMap(({ fields, resolverClasses }) => {
    const classes = new Set<unknown>(resolverClasses);
    return [
      ...fields.filter(({ on }) => on === root).map(({ name }) => name),
      ...handwrittenFields.filter(({ target }) => classes.has(target)).map(({ schemaName }) => schemaName),
    ];
  });
}
