import { type DefinitionNode, visit } from 'graphql';
import type { Ownership } from './ownership.js';

/** Endings of the input types and order enums that the kernel generates for a record. */
const endings = ['Filter', 'ListFilter', 'Order', 'OrderField', 'Input'];

interface GeneratedInputs {
  /** Names for the records of the module. */
  readonly own: readonly string[];
  /** Names for the records of other modules. */
  readonly foreign: ReadonlySet<string>;
}

/** Names that generated inputs may have, from the point of view of a module. A record does not have all of them. */
export function generatedInputs({ home }: Ownership, module: string): GeneratedInputs {
  const namesFor = (isOwn: boolean) =>
    [...home].flatMap(([record, owner]) => ((owner === module) === isOwn ? endings.map((ending) => `${record}${ending}`) : []));
  return { own: namesFor(true), foreign: new Set(namesFor(false)) };
}

/** A definition without its descriptions: the subgraph of the owner has them, and composition takes them from there. */
export const withoutDescriptions = (definition: DefinitionNode): DefinitionNode =>
  visit(definition, {
    enter: (node) => ('description' in node && node.description ? { ...node, description: undefined } : undefined),
  });
