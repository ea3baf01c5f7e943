import { Kind, type OperationDefinitionNode, print } from '@0no-co/graphql.web';

/** A typed document, made by `graphql` or another tool. */
export interface TypedDocument<Result = unknown, Variables = never> {
  readonly kind: string;
  readonly definitions: readonly { readonly kind: string }[];
  readonly __apiType?: (variables: Variables) => Result;
}

/** Result type of a document. */
export type ResultOf<Document> = Document extends TypedDocument<infer Result, never> ? Result : never;

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Result fields without a type, because the graph has no such field. */
type Unknown<Result> = 0 extends 1 & Result
  ? never
  : [Json] extends [Result]
    ? never
    : Result extends readonly (infer Item)[]
      ? Unknown<Item>
      : Result extends object
        ? {
            [Name in keyof Result]: 0 extends 1 & Result[Name]
              ? never
              : unknown extends Result[Name]
                ? Name
                : Unknown<Result[Name]>;
          }[keyof Result]
        : never;

/** Causes a compile error for documents with unknown fields. */
export type Known<Result> = [Unknown<Result>] extends [never] ? unknown : { readonly 'the graph has no field': Unknown<Result> };

const operationOf = (document: TypedDocument): OperationDefinitionNode => {
  const found = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (!found) throw new TypeError('the document has no operation: a fragment belongs to one');
  return found as OperationDefinitionNode;
};

/** A printed document. */
export interface Sent {
  readonly query: string;
  readonly operation: string;
  /** Whether the document is a mutation or subscription. */
  readonly writes: boolean;
}

const known = new WeakMap<object, Sent>();

/** Prints a document. The result is cached. */
export function sentFor(document: TypedDocument): Sent {
  const before = known.get(document);
  if (before) return before;
  const { operation } = operationOf(document);
  const made = { query: print(document as unknown as Parameters<typeof print>[0]), operation, writes: operation !== 'query' };
  known.set(document, made);
  return made;
}
