import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';

/** HTTP methods that the document does not specify, keyed by path (section 4.20). Decision 33 defines them. */
const undocumentedMethods: Record<string, string[]> = {
  '/v1/sso/validate_token': ['GET', 'POST'],
  '/v1/sso/validate_url/{token}': ['GET'],
};

/** Returns a path without the names of its parameters. */
const plain = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

const documented = readFileSync(join(import.meta.dirname, 'operations.txt'), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [method = '', path = ''] = line.split(' ');
    return (method === '?' ? (undocumentedMethods[path] ?? ['POST']) : [method]).map((name) => `${name} ${plain(path)}`);
  });

test('every documented operation has a route', () => {
  const routed = new Set(entriesOf(legacyRoutes).map(({ method, path }) => `${method} ${plain(path)}`));
  expect(documented.filter((operation) => !routed.has(operation))).toEqual([]);
});

test('every route is documented, except two', () => {
  const documentedOperations = new Set(documented);
  const undocumented = entriesOf(legacyRoutes)
    .map(({ method, path }) => `${method} ${plain(path)}`)
    .filter((operation) => !documentedOperations.has(operation));
  expect(undocumented).toEqual(['GET /v1/referee/lookup_retirement_reason_references', 'POST /v1/users/{}/push_notifications']);
});
