import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLEnumValueConfigMap,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  type GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../declare/context.js';
import {
  type FieldSpec,
  type GeneratedField,
  GeneratedType,
  type InputValueSpec,
  type InputValues,
  type TypeReference,
  typeNameOf,
} from '../declare/fields/generated.js';
import type { RecordClass } from '../declare/meta.js';
import type { RootType } from './field-order.js';
import { guardField } from './guard-field.js';
import type { HandwrittenFields } from './handwritten-fields.js';
import { typeOfRow } from './nodes.js';

type Field = GraphQLFieldConfig<unknown, Context>;
type Fields = GraphQLFieldConfigMap<unknown, Context>;

const builtInScalars = new Map<unknown, GraphQLScalarType>([
  [String, GraphQLString],
  [Boolean, GraphQLBoolean],
  [Number, GraphQLFloat],
]);

/** Returns the names of the types that type-graphql builds from classes, keyed by class. */
const classNames = (): ReadonlyMap<unknown, string> => {
  const { inputTypes, interfaceTypes, objectTypes } = getMetadataStorage();
  return new Map([...inputTypes, ...interfaceTypes, ...objectTypes].map(({ target, name }) => [target, name]));
};

const extensionsOf = ({ meaning, extensions }: { meaning?: string | undefined; extensions?: object | null | undefined }) => ({
  ...extensions,
  ...(meaning !== undefined && { meaning }),
});

/**
 * Types of the final schema: the types that type-graphql builds from classes, and the generated types. A type is created when another type
 * refers to it.
 */
export class SchemaTypes {
  readonly #builtSchema: GraphQLSchema;
  readonly #methodFields: HandwrittenFields;
  readonly #addedFields: ReadonlyMap<string, readonly GeneratedField[]>;
  readonly #names = classNames();
  readonly #types = new Map<string, GraphQLNamedType>();

  constructor(builtSchema: GraphQLSchema, handwrittenFields: HandwrittenFields, generatedFields: readonly GeneratedField[]) {
    this.#builtSchema = builtSchema;
    this.#methodFields = handwrittenFields;
    this.#addedFields = Map.groupBy(generatedFields, typeNameOf);
  }

  /** Returns a root type, with its fields in the order of `fieldNames`. Undefined if it has no fields. */
  root(name: RootType, fieldNames: readonly string[]): GraphQLObjectType | undefined {
    const type = this.#builtSchema.getType(name);
    const fields = isObjectType(type) ? type.toConfig().fields : {};
    if (Object.keys(fields).length === 0 && !this.#addedFields.has(name)) return undefined;
    return new GraphQLObjectType({
      name,
      fields: () => {
        const allFields = this.#fieldsOf(name, this.#handwrittenFields(name, fields));
        return Object.fromEntries(fieldNames.flatMap((key) => (allFields[key] ? [[key, allFields[key]]] : [])));
      },
    });
  }

  /** Returns all object types that implement an interface. */
  implementationsOf({ name }: GraphQLInterfaceType): GraphQLObjectType[] {
    const { objects } = this.#builtSchema.getImplementations(this.#builtSchema.getType(name) as GraphQLInterfaceType);
    return objects.map((type) => this.#withGeneratedTypes(type) as GraphQLObjectType);
  }

  /** Returns the types that the resolver classes add fields to. */
  extendedBy(resolverClasses: readonly RecordClass[]): GraphQLNamedType[] {
    const { fieldResolvers } = getMetadataStorage();
    const added = fieldResolvers.filter(({ target }) => resolverClasses.includes(target as RecordClass));
    return [...new Set(added.flatMap(({ getObjectType }) => getObjectType?.() ?? []))].map((cls) => this.#namedType(cls));
  }

  #namedType(reference: TypeReference): GraphQLNamedType {
    if (reference instanceof GeneratedType) return this.#cachedType(reference.name, () => this.#buildGeneratedType(reference));
    if (reference instanceof GraphQLScalarType) return reference;
    const scalar = builtInScalars.get(reference);
    if (scalar) return scalar;
    const name = this.#names.get(reference);
    if (name !== undefined) {
      const type = this.#builtSchema.getType(name);
      if (!type) throw new Error(`type-graphql has not built ${name}`);
      return this.#withGeneratedTypes(type);
    }
    return this.#enumerationType(reference);
  }

  #cachedType<T extends GraphQLNamedType>(name: string, create: () => T): T {
    const type = this.#types.get(name) ?? create();
    this.#types.set(name, type);
    return type as T;
  }

  #typeOf(reference: TypeReference): GraphQLNamedType | GraphQLList<GraphQLType> {
    return Array.isArray(reference)
      ? new GraphQLList(new GraphQLNonNull(this.#typeOf(reference[0])))
      : this.#namedType(reference);
  }

  /** Returns a type that type-graphql built, with its placeholders replaced by generated types. */
  #withGeneratedTypes<T extends GraphQLType>(type: T): T;
  #withGeneratedTypes(type: GraphQLType): GraphQLType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.#withGeneratedTypes(type.ofType));
    if (isListType(type)) return new GraphQLList(this.#withGeneratedTypes(type.ofType));
    if (type instanceof GeneratedType) return this.#namedType(type);
    if (type instanceof GraphQLScalarType) return type;
    return this.#cachedType(type.name, () => this.#rebuildType(type));
  }

  #rebuildType(type: Exclude<GraphQLNamedType, GraphQLScalarType>): GraphQLNamedType {
    const { name } = type;
    if (isObjectType(type)) {
      const { extensions: declaredExtensions, description, ...config } = type.toConfig();
      const { describe, ...extensions } = declaredExtensions;
      return new GraphQLObjectType<unknown, Context>({
        ...config,
        description: typeof describe === 'function' ? describe() : description,
        extensions,
        interfaces: () => config.interfaces.map((interfaceType) => this.#withGeneratedTypes(interfaceType)),
        fields: () => this.#fieldsOf(name, this.#handwrittenFields(name, config.fields)),
      });
    }
    if (isInterfaceType(type)) {
      const config = type.toConfig();
      return new GraphQLInterfaceType({
        ...config,
        resolveType: typeOfRow,
        interfaces: () => config.interfaces.map((interfaceType) => this.#withGeneratedTypes(interfaceType)),
        fields: () => this.#fieldsOf(name, this.#handwrittenFields(name, config.fields)),
      });
    }
    if (isInputObjectType(type)) {
      const config = type.toConfig();
      const field = ([key, input]: [string, GraphQLInputFieldConfig]) => [
        key,
        { ...input, type: this.#withGeneratedTypes(input.type) },
      ];
      return new GraphQLInputObjectType({
        ...config,
        fields: () => Object.fromEntries(Object.entries(config.fields).map(field)),
      });
    }
    if (isUnionType(type)) throw new Error(`${name}: unions are generated, by unionOf(…)`);
    return type;
  }

  /** Returns the fields of a type that type-graphql built, with their resolvers, generated types and generated arguments. */
  #handwrittenFields(type: string, fields: Fields): Fields {
    const field = ([name, config]: [string, Field]): [string, Field] => {
      const { arguments: createArguments, ...extensions } = config.extensions ?? {};
      const args = Object.entries(this.#methodFields.argumentsOf(type, name, config.args ?? {}));
      const generatedArguments = typeof createArguments === 'function' ? this.#argumentsOf(createArguments()) : {};
      return [
        name,
        {
          ...this.#methodFields.withResolver(type, name, { ...config, extensions }),
          type: this.#withGeneratedTypes(config.type),
          args: {
            ...Object.fromEntries(
              args.map(([key, argument]) => [key, { ...argument, type: this.#withGeneratedTypes(argument.type) }]),
            ),
            ...generatedArguments,
          },
        },
      ];
    };
    return Object.fromEntries(Object.entries(fields).map(field));
  }

  /** Returns the fields of a type, including added fields. Resolvers of fields with policies check the policies first. */
  #fieldsOf(type: string, fields: Fields): Fields {
    const addedFields = (this.#addedFields.get(type) ?? []).map((field) => [field.name, this.#buildField(field)] as const);
    const allFields = Object.entries({ ...fields, ...Object.fromEntries(addedFields) });
    return Object.fromEntries(allFields.map(([name, field]) => [name, guardField(type, name, field)]));
  }

  #buildField({ type, isNullable, description, meaning, args, extensions, resolve, subscribe }: FieldSpec): Field {
    const output = this.#typeOf(type()) as GraphQLOutputType;
    return {
      type: isNullable ? output : new GraphQLNonNull(output as GraphQLObjectType),
      description: description || undefined,
      args: this.#argumentsOf(args?.() ?? {}),
      extensions: extensionsOf({ meaning, extensions }),
      resolve,
      subscribe,
    };
  }

  #argumentsOf(values: InputValues): GraphQLFieldConfigArgumentMap {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#inputValue(value)]));
  }

  #inputValue({ type, isRequired, description, meaning, defaultValue, extensions }: InputValueSpec) {
    const input = this.#typeOf(type()) as GraphQLInputType;
    return {
      type: isRequired ? new GraphQLNonNull(input as GraphQLInputObjectType) : input,
      description: description || undefined,
      defaultValue,
      extensions: extensionsOf({ meaning, extensions }),
    };
  }

  #buildGeneratedType({ name, spec }: GeneratedType): GraphQLNamedType {
    const { description, extensions } = spec;
    if (spec.kind === 'object')
      return new GraphQLObjectType<unknown, Context>({
        name,
        description,
        extensions,
        fields: () =>
          this.#fieldsOf(
            name,
            Object.fromEntries(Object.entries(spec.fields()).map(([key, field]) => [key, this.#buildField(field)])),
          ),
      });
    if (spec.kind === 'input')
      return new GraphQLInputObjectType({ name, description, extensions, fields: () => this.#argumentsOf(spec.fields()) });
    if (spec.kind === 'union')
      return new GraphQLUnionType({
        name,
        description,
        types: () => spec.types().map((type) => this.#namedType(type) as GraphQLObjectType),
        resolveType: typeOfRow,
      });
    const values: GraphQLEnumValueConfigMap = {};
    for (const [key, { value, description: text, meaning }] of Object.entries(spec.values))
      values[key] = { value, description: text || undefined, extensions: extensionsOf({ meaning }) };
    return new GraphQLEnumType({ name, description, values });
  }

  /** Returns the GraphQL type of an enumeration that is registered with type-graphql. */
  #enumerationType(values: TypeReference): GraphQLEnumType {
    const metadata = getMetadataStorage().enums.find(({ enumObj }) => enumObj === values);
    if (!metadata) throw new Error(`an enumeration is not registered: ${Object.keys(values).join(', ')}`);
    const { name, description, valuesConfig } = metadata;
    const enumType = this.#builtSchema.getType(name);
    if (isEnumType(enumType)) return this.#cachedType(name, () => enumType);
    const configs: Readonly<Record<string, object | undefined>> = valuesConfig;
    return this.#cachedType(
      name,
      () =>
        new GraphQLEnumType({
          name,
          description,
          values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { ...configs[key], value }])),
        }),
    );
  }
}
