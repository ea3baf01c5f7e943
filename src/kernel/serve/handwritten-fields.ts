import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLResolveInfo } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../declare/context.js';
import type { Resolve } from '../declare/fields/generated.js';
import { isRootType } from './guard-field.js';

type ComputedField = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number];
type Param = NonNullable<ComputedField['params']>[number];
type ArgumentGetter = (source: unknown, context: Context, info: GraphQLResolveInfo) => unknown;

const nameOf = (getObjectType?: () => unknown): string => {
  const target = getObjectType?.();
  return typeof target === 'function' ? target.name : '';
};

/** Returns a function that reads the argument for a method parameter. Null if type-graphql must convert the argument. */
function argumentGetterOf(param: Param): ArgumentGetter | null {
  if (param.kind === 'info') return (_source, _context, info) => info;
  if (param.kind === 'context') return param.propertyName ? null : (_source, context) => context;
  if (param.kind !== 'root' || param.propertyName) return null;
  return !param.getType || (param.getType() as unknown) === Object ? (source) => source : null;
}

type Method = (...values: unknown[]) => unknown;
const instances = new Map<unknown, Record<string, Method>>();

/** Returns the single instance of a resolver class. Resolver classes have no state. */
function instanceOf(target: ComputedField['target']): Record<string, Method> {
  const instance = instances.get(target) ?? (new (target as new () => object)() as Record<string, Method>);
  instances.set(target, instance);
  return instance;
}

/** Returns a resolver that calls the method of a computed field directly. Null if the method has parameters other than source, context and info. */
function directResolver({ kind, target, methodName, params = [], middlewares = [] }: ComputedField): Resolve | null {
  const getters = params.toSorted((a, b) => a.index - b.index).map(argumentGetterOf);
  if (kind !== 'external' || middlewares.length || !getters.every((getter) => getter !== null)) return null;
  const instance = instanceOf(target);
  const method = instance[methodName]?.bind(instance);
  const [first, second] = getters;
  if (!method || !first) return null;
  if (getters.length === 1) return (source, _args, context, info) => method(first(source, context, info));
  if (getters.length === 2 && second)
    return (source, _args, context, info) => method(first(source, context, info), second(source, context, info));
  return (source, _args, context, info) => method(...getters.map((getter) => getter(source, context, info)));
}

/** Returns the argument names of a method, in the order of its parameters. Null represents all arguments of an arguments class. */
const argumentNames = (params: readonly Param[]): (string | null)[] =>
  params
    .toSorted((a, b) => a.index - b.index)
    .flatMap(({ kind, ...param }) => {
      if (kind === 'args') return [null];
      return kind === 'arg' && 'name' in param ? [param.name] : [];
    });

type Arguments = GraphQLFieldConfigArgumentMap;

/** Resolvers and argument order of the fields in type-graphql classes. */
export class HandwrittenFields {
  readonly #params = new Map<string, readonly Param[]>();
  readonly #resolvers = new Map<string, Resolve | null>();

  constructor() {
    const { fieldResolvers, queries, mutations, subscriptions } = getMetadataStorage();
    for (const [type, handlers] of Object.entries({ Query: queries, Mutation: mutations, Subscription: subscriptions }))
      for (const { schemaName, params = [] } of handlers) this.#params.set(`${type}.${schemaName}`, params);
    for (const field of fieldResolvers) {
      const path = `${nameOf(field.getObjectType)}.${field.schemaName}`;
      this.#params.set(path, field.params ?? []);
      this.#resolvers.set(path, directResolver(field));
    }
  }

  /**
   * Returns the arguments in the order of the method parameters. type-graphql returns them in reverse order, because parameter decorators
   * run in reverse.
   */
  argumentsOf(type: string, field: string, args: Arguments): Arguments {
    const names = argumentNames(this.#params.get(`${type}.${field}`) ?? []);
    const namedArguments = new Set(names);
    const otherNames = Object.keys(args).filter((name) => !namedArguments.has(name));
    const sortedNames = names.flatMap((name) => name ?? otherNames);
    return Object.fromEntries(
      [...new Set([...sortedNames, ...otherNames])].flatMap((name) => (args[name] ? [[name, args[name]]] : [])),
    );
  }

  /**
   * Returns a field with its resolver. Methods without arguments are called without type-graphql's wrapper, which creates several promises
   * for each row. A property uses the resolver that was declared for it, if there is one.
   */
  withResolver(type: string, name: string, field: GraphQLFieldConfig<unknown, Context>): GraphQLFieldConfig<unknown, Context> {
    const { resolve: declaredResolver, ...extensions } = field.extensions ?? {};
    const method = this.#resolvers.get(`${type}.${name}`);
    if (method || method === null || isRootType(type)) return { ...field, extensions, resolve: method ?? field.resolve };
    return { ...field, extensions, resolve: declaredResolver as Resolve | undefined };
  }
}
