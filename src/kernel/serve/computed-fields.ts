import type { GraphQLResolveInfo } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../declare/context.js';
import type { Resolve } from './root-fields.js';

type Computed = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number];
type Param = NonNullable<Computed['params']>[number];
type Take = (source: unknown, context: Context, info: GraphQLResolveInfo) => unknown;

const nameOf = (getObjectType?: () => unknown): string => {
  const target = getObjectType?.();
  return typeof target === 'function' ? target.name : '';
};

/** How a parameter of a method is filled; null where type-graphql has to convert it. */
function takeOf(param: Param): Take | null {
  if (param.kind === 'info') return (_source, _context, info) => info;
  if (param.kind === 'context') return param.propertyName ? null : (_source, context) => context;
  if (param.kind !== 'root' || param.propertyName) return null;
  return !param.getType || (param.getType() as unknown) === Object ? (source) => source : null;
}

type Method = (...values: unknown[]) => unknown;
const instances = new Map<unknown, Record<string, Method>>();

/** One instance of a class of resolvers, which hold nothing. */
function instanceOf(target: Computed['target']): Record<string, Method> {
  const known = instances.get(target) ?? (new (target as new () => object)() as Record<string, Method>);
  instances.set(target, known);
  return known;
}

/** Calls the method of a computed field that takes nothing but its row, the context and the info; null where it takes more. */
function directly({ kind, target, methodName, params = [], middlewares = [] }: Computed): Resolve | null {
  const takes = params.toSorted((a, b) => a.index - b.index).map(takeOf);
  if (kind !== 'external' || middlewares.length || !takes.every((take) => take !== null)) return null;
  const instance = instanceOf(target);
  const method = instance[methodName]?.bind(instance);
  const [one, two] = takes;
  if (!method || !one) return null;
  if (takes.length === 1) return (source, _args, context, info) => method(one(source, context, info));
  if (takes.length === 2 && two)
    return (source, _args, context, info) => method(one(source, context, info), two(source, context, info));
  return (source, _args, context, info) => method(...takes.map((take) => take(source, context, info)));
}

/**
 * The fields that modules compute, by `Tournament.utcOffset`: their resolvers without type-graphql's wrapper, which lists call for each row;
 * null for those that need it.
 */
export const computedFields = (): ReadonlyMap<string, Resolve | null> =>
  new Map(
    getMetadataStorage().fieldResolvers.map((field) => [`${nameOf(field.getObjectType)}.${field.schemaName}`, directly(field)]),
  );
