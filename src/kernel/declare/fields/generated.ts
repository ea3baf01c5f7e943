import { type GraphQLFieldConfig, type GraphQLFieldResolver, type GraphQLInputFieldConfig, GraphQLScalarType } from 'graphql';
import { Extensions } from 'type-graphql';
import type { Context } from '../context.js';
import type { RecordClass } from '../meta.js';

// biome-ignore lint/suspicious/noExplicitAny: arguments are typed by the schema, not by the compiler
export type Resolve = GraphQLFieldResolver<unknown, Context, any>;

/**
 * Reference to a GraphQL type: a class with the decorators of type-graphql, a scalar, a registered enumeration, or a generated type. An
 * array with one such reference is a list without nulls.
 */
export type TypeReference = object;

interface DescriptionTexts {
  readonly description?: string | undefined;
  /** Description that appears only on the reference pages, not in the schema. */
  readonly meaning?: string | undefined;
}

/** Argument or field of an input type. Nullable by default. */
export interface InputValueSpec extends DescriptionTexts {
  readonly type: () => TypeReference;
  readonly isRequired?: boolean;
  readonly defaultValue?: unknown;
  readonly extensions?: GraphQLInputFieldConfig['extensions'];
}

export type InputValues = Readonly<Record<string, InputValueSpec>>;

/** Field of an object type. Not nullable by default. Without a resolver, the field returns the property of the same name. */
export interface FieldSpec extends DescriptionTexts {
  readonly type: () => TypeReference;
  readonly isNullable?: boolean;
  /** Called once, when the schema is built. */
  readonly args?: () => InputValues;
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly resolve?: Resolve;
  readonly subscribe?: GraphQLFieldConfig<unknown, Context>['subscribe'];
}

interface NamedSpec {
  readonly description: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Definition of a generated type. `fields` is a function, because types can refer to each other. */
type TypeSpec = NamedSpec &
  (
    | { readonly kind: 'object'; readonly fields: () => Readonly<Record<string, FieldSpec>> }
    | { readonly kind: 'input'; readonly fields: () => InputValues }
    | { readonly kind: 'enum'; readonly values: Readonly<Record<string, DescriptionTexts & { readonly value: unknown }>> }
    | { readonly kind: 'union'; readonly types: () => readonly TypeReference[] }
  );

/**
 * Placeholder for a type that the kernel generates. It is a scalar, so that type-graphql accepts it as a type. Schema assembly replaces it
 * with the type of the same name.
 */
export class GeneratedType extends GraphQLScalarType {
  constructor(
    name: string,
    readonly spec: TypeSpec,
  ) {
    super({ name });
  }
}

/** Field to add to a root type, a record, or a generated type. */
export interface GeneratedField extends FieldSpec {
  readonly on: 'Query' | 'Mutation' | 'Subscription' | RecordClass | GeneratedType;
  readonly name: string;
}

/** Returns the name of the type that a field is added to. */
export const typeNameOf = ({ on }: GeneratedField): string => (typeof on === 'string' ? on : on.name);

/** Entry in the `resolvers` of a module manifest: a class with the decorators of type-graphql, or a generated field. */
export type Resolvers = RecordClass | GeneratedField;

export const isGeneratedField = (resolvers: Resolvers): resolvers is GeneratedField => typeof resolvers !== 'function';

/** Declares a field that a module adds to a generated type. The first parameter of its resolver is the source object. */
export const fieldOnGeneratedType = <Source>({
  resolve,
  ...field
}: Omit<GeneratedField, 'resolve'> & {
  readonly resolve: (source: Source, context: Context) => unknown;
}): GeneratedField => ({ ...field, resolve: (source, _, context) => resolve(source as Source, context) });

interface Described {
  readonly description?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Decorator: describes a generated argument or filter field. The text appears on the reference pages, but not in the schema, where it would repeat
 * the description of a field or a type.
 */
export const meaning = (text: string): PropertyDecorator => Extensions({ meaning: text });

/** Returns the description of an argument or field: the text of `meaning`, or else the description in the schema. */
export const meaningOf = ({ description, extensions }: Described): string =>
  typeof extensions.meaning === 'string' ? extensions.meaning : (description ?? '');
