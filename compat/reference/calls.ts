import { type ASTNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql';
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
}

const known = new WeakMap<Codecs, Map<string, Printed>>();

function printedNode(node: ASTNode): Printed {
  const spreads: string[] = [];
  visit(node, { FragmentSpread: ({ name }) => void spreads.push(name.value) });
  return { text: print(node), spreads };
}

/** A fragment as people read it; many operations spread it. */
function printedFragment(name: string, codecs: Codecs): Printed {
  const printed = known.get(codecs) ?? new Map<string, Printed>();
  known.set(codecs, printed);
  const found = printed.get(name) ?? printedNode(parse(codecs.named(name)?.fragment ?? '', { noLocation: true }));
  printed.set(name, found);
  return found;
}

/** The document that runs, laid out for people; an operation without a name is given one. */
export function printedDocument(operation: OperationDefinitionNode, name: string, codecs: Codecs): string {
  const { text, spreads } = printedNode({ ...operation, name: operation.name ?? { kind: Kind.NAME, value: name } });
  const fragments = new Map<string, string>();
  const add = (names: readonly string[]): void => {
    for (const each of names) {
      if (fragments.has(each)) continue;
      const fragment = printedFragment(each, codecs);
      fragments.set(each, fragment.text);
      add(fragment.spreads);
    }
  };
  add(spreads);
  return [text, ...fragments.values()].join('\n\n');
}
