import { Kind, type OperationDefinitionNode, print } from '@0no-co/graphql.web';

/** A typed document, created by `graphql` or another tool. */
export interface TypedDocument<Result = unknown, Variables = never> {
  readonly kind: string;
  readonly definitions: readonly { readonly kind: string }[];
  readonly __apiType?: (variables: Variables) => Result;
}

/** Result type of a document. */
export type ResultOf<Document> = Document extends TypedDocument<infer Result, never> ? Result : never;

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Names of the selected fields that the schema does not have. Such fields have the type `unknown` in the result. */
type UnknownFields<Result> = 0 extends 1 & Result
  ? never
  : [Json] extends [Result]
    ? never
    : Result extends readonly (infer Item)[]
      ? UnknownFields<Item>
      : Result extends object
        ? {
            [Name in keyof Result]-?: 0 extends 1 & Result[Name]
              ? never
              : unknown extends Result[Name]
                ? Name
                : UnknownFields<Result[Name]>;
          }[keyof Result]
        : never;

/** Causes a compile error for documents that select unknown fields. */
export type OnlyKnownFields<Result> = [UnknownFields<Result>] extends [never]
  ? unknown
  : { readonly 'the schema has no field': UnknownFields<Result> };

const operationOf = (document: TypedDocument): OperationDefinitionNode => {
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (!definition) throw new TypeError('the document contains only fragments: add an operation that uses them');
  return definition as OperationDefinitionNode;
};

/** Text of a document, and the type of its operation. */
export interface PrintedDocument {
  readonly query: string;
  readonly operation: string;
}

const documents = new WeakMap<object, PrintedDocument>();

/** Prints a document. The result is cached. */
export function printedDocument(document: TypedDocument): PrintedDocument {
  const cached = documents.get(document);
  if (cached) return cached;
  const { operation } = operationOf(document);
  const result = { query: print(document as unknown as Parameters<typeof print>[0]), operation };
  documents.set(document, result);
  return result;
}
