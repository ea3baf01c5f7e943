import fc from 'fast-check';
import { getOperationAST, parse, print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeSelections } from '../../../src/commands/supergraph/gateway/merge-selections.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { drawFrom } from '../../load/abuse/draw.js';
import { askForDistinctErrors } from '../../support/clients/gateway.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { season } from './app-operations.js';
import { overlappingOperation } from './overlapping-operations.js';

const schema = graphOfModules();
const variables = { yes: true, no: false };
let app: TestApp;
let tokens: { 'pb-user-token': string };
beforeAll(async () => {
  app = await startApp();
  const [admin, partner] = [await app.person({ isSuperAdmin: true }), await app.person()];
  tokens = { 'pb-user-token': admin.user };
  await app.graphql(season, { player: admin.id, partner: partner.id });
});
afterAll(() => app.close());

/** Returns the same operation with each field selected once, and without fragments, `@skip` and `@include`. */
function simplified(query: string): string {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('the document has no operation');
  return print(mergeSelections(schema, document, operation, variables));
}

test('a field that is selected repeatedly has the same value as a field that is selected once', async () => {
  const send = (query: string) => askForDistinctErrors(`${app.origin}/graphql`, { query, variables }, tokens);
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (gen) => {
      const query = overlappingOperation(schema, drawFrom(gen));
      const once = await send(simplified(query));
      // An operation is interpreted the first time, and compiled from the second time on.
      expect({ interpreted: await send(query), compiled: await send(query) }).toEqual({ interpreted: once, compiled: once });
    }),
    { numRuns: 100, seed: 7 },
  );
}, 120_000);
