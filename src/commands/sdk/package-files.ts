/** What npm knows of the package. */
export const manifestOf = ({ version, license }: { version: string; license: string }): object => ({
  name: 'courtside-sdk',
  version,
  description: 'Typed clients of Courtside: of its graph, and of the legacy interface under /v1',
  license,
  type: 'module',
  engines: { node: '>=20.3' },
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './v1': { types: './v1.d.ts', default: './v1.js' },
    './caches': { types: './caches.d.ts', default: './caches.js' },
    './schema.graphql': './schema.graphql',
    './package.json': './package.json',
  },
  types: './index.d.ts',
  files: ['*.js', '*.d.ts', 'types', 'schema.graphql', 'THIRD-PARTY-LICENSES'],
});

/** The page of the package: without how it is made, and without ways to files that are not in it. */
export const readmeOf = (page: string): string =>
  page.replace(/```sh\n.*?```\n\n/s, '').replace(/\n[^\n]*\]\(\.\.\/[^\n]*\n$/, '');

/** The types of `graphql`, which knows the graph; all else is as it was compiled. */
export const indexTypes = (scalars: string): string => `import type { introspection } from './introspection.js';
import type { initGraphQLTada } from './types/tada/gql-tada.js';
import type { Json } from './types/src/sdk/document.js';

export * from './types/src/sdk/index.js';
export type { VariablesOf } from './types/tada/gql-tada.js';

/**
 * Makes a typed document of its text, and of the fragments that it spreads: \`graphql('query …', [fragment])\`. Fields of fragments are read
 * as if they stood where the fragment does.
 */
export declare const graphql: initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { ${scalars} };
}>;
`;
