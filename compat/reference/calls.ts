import {
  type ASTNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Codecs } from '../engine/bind/codec.js';
import { isConnection, type ParsedOperation, pageOf, withPaging } from '../engine/bind/document.js';
import type { Route } from '../engine/route.js';
import { capitalize } from './names.js';

/** Returns the GraphQL operation that a route executes, with the paging that the engine adds to lists. */
export function executedOperation({ reply, args = {} }: Route, source: ParsedOperation): OperationDefinitionNode {
  if (!reply.list || !isConnection(source.field)) return source.operation;
  const pagedSource = withPaging(source);
  return 'first' in args ? pagedSource : pageOf(pagedSource, true);
}

/** A formatted operation or fragment. */
interface PrintedNode {
  readonly text: string;
  /** Names of the fragments that the node spreads. */
  readonly spreads: readonly string[];
  /** Coordinates of the fields that the node selects. */
  readonly coordinates: readonly string[];
}

const fragmentsByCodecs = new WeakMap<Codecs, Map<string, PrintedNode>>();

function printedNode(node: ASTNode, schema: GraphQLSchema): PrintedNode {
  const [spreads, coordinates]: [string[], string[]] = [[], []];
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    FragmentSpread: ({ name }) => void spreads.push(name.value),
    Field: ({ name }) => void coordinates.push(`${types.getParentType()?.name ?? ''}.${name.value}`),
  });
  visit(node, visitor);
  return { text: print(node), spreads, coordinates };
}

/** Returns a formatted fragment. Fragments are cached, because many operations use the same fragments. */
function printedFragment(name: string, codecs: Codecs, schema: GraphQLSchema): PrintedNode {
  const printedFragments = fragmentsByCodecs.get(codecs) ?? new Map<string, PrintedNode>();
  fragmentsByCodecs.set(codecs, printedFragments);
  const fragment =
    printedFragments.get(name) ?? printedNode(parse(codecs.findByFragment(name)?.fragment ?? '', { noLocation: true }), schema);
  printedFragments.set(name, fragment);
  return fragment;
}

/** Formats an operation with its fragments and returns the coordinates of their fields. An anonymous operation gets the capitalized `name`. */
export function printedDocument(
  operation: OperationDefinitionNode,
  name: string,
  codecs: Codecs,
  schema: GraphQLSchema,
): { document: string; coordinates: string[] } {
  const first = printedNode({ ...operation, name: operation.name ?? { kind: Kind.NAME, value: capitalize(name) } }, schema);
  const fragments = new Map<string, PrintedNode>();
  const add = (names: readonly string[]): void => {
    for (const fragmentName of names) {
      if (fragments.has(fragmentName)) continue;
      const fragment = printedFragment(fragmentName, codecs, schema);
      fragments.set(fragmentName, fragment);
      add(fragment.spreads);
    }
  };
  add(first.spreads);
  const parts = [first, ...fragments.values()];
  return {
    document: parts.map(({ text }) => text).join('\n\n'),
    coordinates: [...new Set(parts.flatMap(({ coordinates }) => coordinates))],
  };
}
