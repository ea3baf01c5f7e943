import { type DefinitionNode, visit } from 'graphql';
import type { Ownership } from './ownership.js';

/** Suffixes of the input types and order enumerations that the kernel generates for a record. */
const suffixes = ['Filter', 'ListFilter', 'Order', 'OrderField', 'Input'];

interface GeneratedInputs {
  /** Names of inputs for records of the module. */
  readonly ownNames: readonly string[];
  /** Names of inputs for records of other modules. */
  readonly foreignNames: ReadonlySet<string>;
}

/**
 * Names of generated inputs, split by whether the module owns the record. Includes names that do not exist, because no record has
 * all inputs.
 */
export function generatedInputs({ moduleByRecord }: Ownership, module: string): GeneratedInputs {
  const namesFor = (isOwn: boolean) =>
    [...moduleByRecord].flatMap(([record, owner]) =>
      (owner === module) === isOwn ? suffixes.map((suffix) => `${record}${suffix}`) : [],
    );
  return { ownNames: namesFor(true), foreignNames: new Set(namesFor(false)) };
}

/** Removes the descriptions of a definition. Composition uses those of the owning subgraph. */
export const withoutDescriptions = (definition: DefinitionNode): DefinitionNode =>
  visit(definition, {
    enter: (node) => ('description' in node && node.description ? { ...node, description: undefined } : undefined),
  });
