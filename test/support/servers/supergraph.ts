import { readFileSync } from 'node:fs';
import { subgraphUrl } from '../../../src/commands/emit.js';
import { modules } from '../../../src/modules/index.js';

/** Returns the supergraph in schema/ with other subgraph URLs. Another test checks that schema/ matches the code. */
export const supergraphFor = (urlOf: (module: string) => string): string =>
  modules.reduce(
    (text, { name }) => text.replaceAll(`"${subgraphUrl(name)}"`, `"${urlOf(name)}"`),
    readFileSync('schema/supergraph.graphql', 'utf8'),
  );
