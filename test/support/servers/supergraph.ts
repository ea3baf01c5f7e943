import { readFileSync } from 'node:fs';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { modules } from '../../../src/modules/index.js';

/** The supergraph under schema/, which is what the code emits (another test sees to that), with its subgraphs elsewhere. */
export const supergraphFor = (urlOf: (module: string) => string): string =>
  modules.reduce(
    (text, { name }) => text.replaceAll(`"${subgraphUrl(name)}"`, `"${urlOf(name)}"`),
    readFileSync('schema/supergraph.graphql', 'utf8'),
  );
