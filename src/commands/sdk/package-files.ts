import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** Returns the content of `package.json`. */
export const manifestOf = ({ version, license }: { version: string; license: string }): object => ({
  name: 'courtside-sdk',
  version,
  description: 'Typed clients for the Courtside GraphQL API and its legacy REST interface /v1',
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

/**
 * Returns the content of `README.md`: the documentation page, without build instructions and without links to files that the package lacks.
 */
export const readmeOf = (page: string): string =>
  page.replace(/```sh\n.*?```\n\n/s, '').replace(/\n[^\n]*\]\(\.\.\/[^\n]*\n$/, '');

/** Returns the content of `index.d.ts`: the types of the compiled code, and `graphql()` with the types of the schema. */
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

/** Prints the introspection result of the schema as a TypeScript type. The types of documents are derived from it. */
export function introspectionTypes(sdl: string): string {
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl), { descriptions: false }));
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // The rest of the text would register this schema globally, which would prevent users of the package from adding another schema.
  const [types = ''] = text.split(/^import \* as gqlTada/m);
  return types;
}

/** Returns the TypeScript types of the custom scalars: `Json` for `JSON`, and `string` for all others. */
export const scalarTypes = (sdl: string): string =>
  Object.values(buildSchema(sdl).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => `${name}: ${name === 'JSON' ? 'Json' : 'string'}`)
    .join('; ');

const require = createRequire(import.meta.url);

/** Packages that are bundled into the SDK, which has no dependencies. */
const bundledPackages = ['gql.tada', '@0no-co/graphql.web'];

const folderOf = (name: string): string => require.resolve(`${name}/package.json`).slice(0, -'/package.json'.length);

/** Replaces the types of the package `graphql` with `any`, because users may not have installed it. */
const withoutGraphQL = (types: string): string =>
  types.replace("import * as GraphQL from 'graphql';", '').replaceAll(/(?:typeof )?GraphQL\.\w+/g, 'any');

/** Copies the type declarations of the bundled packages to a folder of the SDK. */
export function copyDocumentTypes(target: string): void {
  const [tada = '', web = ''] = bundledPackages.map(folderOf);
  mkdirSync(join(target, 'chunks'), { recursive: true });
  copyFileSync(join(tada, 'dist/gql-tada.d.ts'), join(target, 'gql-tada.d.ts'));
  writeFileSync(join(target, 'graphql-web.d.ts'), withoutGraphQL(readFileSync(join(web, 'dist/graphql.web.d.ts'), 'utf8')));
  const chunk = readFileSync(join(tada, 'dist/chunks/index-chunk.d.ts'), 'utf8');
  writeFileSync(join(target, 'chunks/index-chunk.d.ts'), chunk.replace("'@0no-co/graphql.web'", "'../graphql-web.js'"));
}

/** Returns the license texts of the bundled packages. */
export const bundledLicenses = (): string =>
  bundledPackages.map((name) => `${name}\n\n${readFileSync(join(folderOf(name), 'LICENSE.md'), 'utf8').trim()}\n`).join('\n\n');
