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

/** The operation that runs for a route: lists are given their paging by the engine. */
export function runningOperation({ reply, args = {} }: Route, source: ParsedOperation): OperationDefinitionNode {
  if (!reply.list || !isConnection(source.field)) return source.operation;
  const taken = withPaging(source);
  return 'first' in args ? taken : pageOf(taken, true);
}

interface Printed {
  readonly text: string;
  /** The fragments that it spreads. */
  readonly spreads: readonly string[];
  /** The fields of the graph that it asks. */
  readonly asks: readonly string[];
}

const known = new WeakMap<Codecs, Map<string, Printed>>();

function printedNode(node: ASTNode, schema: GraphQLSchema): Printed {
  const [spreads, asks]: [string[], string[]] = [[], []];
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    FragmentSpread: ({ name }) => void spreads.push(name.value),
    Field: ({ name }) => void asks.push(`${types.getParentType()?.name ?? ''}.${name.value}`),
  });
  visit(node, visitor);
  return { text: print(node), spreads, asks };
}

/** A fragment as people read it; many operations spread it. */
function printedFragment(name: string, codecs: Codecs, schema: GraphQLSchema): Printed {
  const printed = known.get(codecs) ?? new Map<string, Printed>();
  known.set(codecs, printed);
  const found = printed.get(name) ?? printedNode(parse(codecs.named(name)?.fragment ?? '', { noLocation: true }), schema);
  printed.set(name, found);
  return found;
}

/** The document that runs, laid out for people, and the fields of the graph in it; an operation without a name is given one. */
export function printedDocument(
  operation: OperationDefinitionNode,
  name: string,
  codecs: Codecs,
  schema: GraphQLSchema,
): { document: string; asks: string[] } {
  const first = printedNode({ ...operation, name: operation.name ?? { kind: Kind.NAME, value: name } }, schema);
  const fragments = new Map<string, Printed>();
  const add = (names: readonly string[]): void => {
    for (const each of names) {
      if (fragments.has(each)) continue;
      const fragment = printedFragment(each, codecs, schema);
      fragments.set(each, fragment);
      add(fragment.spreads);
    }
  };
  add(first.spreads);
  const parts = [first, ...fragments.values()];
  return { document: parts.map(({ text }) => text).join('\n\n'), asks: [...new Set(parts.flatMap(({ asks }) => asks))] };
}
