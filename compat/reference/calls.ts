import { Kind, type OperationDefinitionNode, parse, print } from 'graphql';
import type { Codecs } from '../engine/bind/codec.js';
import { documentOf, isConnection, type ParsedOperation, pageOf, withPaging } from '../engine/bind/document.js';
import type { Route } from '../engine/route.js';

/** The operation that runs for a route: lists are given their paging by the engine. */
export function runningOperation({ reply, args = {} }: Route, source: ParsedOperation): OperationDefinitionNode {
  if (!reply.list || !isConnection(source.field)) return source.operation;
  const taken = withPaging(source);
  return 'first' in args ? taken : pageOf(taken, true);
}

/** The document that runs, laid out for people; an operation without a name is given one. */
export const printedDocument = (operation: OperationDefinitionNode, name: string, codecs: Codecs): string =>
  print(parse(documentOf({ ...operation, name: operation.name ?? { kind: Kind.NAME, value: name } }, codecs)));
