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
 * Names of the generated inputs of all records, separated by owner. The names are guesses from suffixes, and not every name exists
 * in the schema.
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
