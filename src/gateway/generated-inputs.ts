import { type DefinitionNode, visit } from 'graphql';
import type { Ownership } from './ownership.js';

/** Suffixes of the input types and order enumerations that the kernel generates for a record. */
const endings = ['Filter', 'ListFilter', 'Order', 'OrderField', 'Input'];

interface GeneratedInputs {
  /** Names of inputs for records of the module. */
  readonly own: readonly string[];
  /** Names of inputs for records of other modules. */
  readonly foreign: ReadonlySet<string>;
}

/** Names of generated inputs, split into those of a module and of other modules. Includes names that do not exist, as no record has all inputs. */
export function generatedInputs({ home }: Ownership, module: string): GeneratedInputs {
  const namesFor = (isOwn: boolean) =>
    [...home].flatMap(([record, owner]) => ((owner === module) === isOwn ? endings.map((ending) => `${record}${ending}`) : []));
  return { own: namesFor(true), foreign: new Set(namesFor(false)) };
}

/** Removes the descriptions of a definition. Composition takes them from the subgraph of the owner. */
export const withoutDescriptions = (definition: DefinitionNode): DefinitionNode =>
  visit(definition, {
    enter: (node) => ('description' in node && node.description ? { ...node, description: undefined } : undefined),
  });
