import { Kind, type OperationDefinitionNode, print } from '@0no-co/graphql.web';

/** A document that knows its types: one of `graphql`, or of any other tool that makes typed documents. */
export interface TypedDocument<Result = unknown, Variables = never> {
  readonly kind: string;
  readonly definitions: readonly { readonly kind: string }[];
  readonly __apiType?: (variables: Variables) => Result;
}

/** What a document answers. */
export type ResultOf<Document> = Document extends TypedDocument<infer Result, never> ? Result : never;

/** A value of which no more is known than that it is JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Names in a result that nobody knows the type of, because the graph has no such field. */
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

/** What makes a document with a field that is not in the graph one that does not compile. */
export type Known<Result> = [Unknown<Result>] extends [never] ? unknown : { readonly 'the graph has no field': Unknown<Result> };

const operationOf = (document: TypedDocument): OperationDefinitionNode => {
  const found = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (!found) throw new TypeError('the document has no operation: a fragment belongs to one');
  return found as OperationDefinitionNode;
};

/** A document as it is sent. */
export interface Sent {
  readonly query: string;
  readonly operation: string;
  /** Whether it may change something. */
  readonly writes: boolean;
}

const known = new WeakMap<object, Sent>();

/** A document is printed once, however often it is sent. */
export function sentFor(document: TypedDocument): Sent {
  const before = known.get(document);
  if (before) return before;
  const { operation } = operationOf(document);
  const made = { query: print(document as unknown as Parameters<typeof print>[0]), operation, writes: operation !== 'query' };
  known.set(document, made);
  return made;
}
