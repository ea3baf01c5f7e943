/** Content of `package.json`. */
export const manifestOf = ({ version, license }: { version: string; license: string }): object => ({
  name: 'courtside-sdk',
  version,
  description: 'Typed clients for the GraphQL API and the legacy REST interface /v1 of Courtside',
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

/** Content of `README.md`: the documentation page, without build instructions and without links to files that the package lacks. */
export const readmeOf = (page: string): string =>
  page.replace(/```sh\n.*?```\n\n/s, '').replace(/\n[^\n]*\]\(\.\.\/[^\n]*\n$/, '');

/** Content of `index.d.ts`: the types of the compiled code, and `graphql()` with the types of the schema. */
export const indexTypes = (scalars: string): string => `import type { introspection } from './introspection.js';
import type { initGraphQLTada } from './types/tada/gql-tada.js';
import type { Json } from './types/src/sdk/document.js';

export * from './types/src/sdk/index.js';
export type { VariablesOf } from './types/tada/gql-tada.js';

/**
 * Creates a typed document from its text and the fragments that it uses: \`graphql('query …', [fragment])\`. Fields of fragments are part of the
 * result type.
 */
export declare const graphql: initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { ${scalars} };
}>;
`;
