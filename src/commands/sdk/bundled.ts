import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

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

/** License texts of the bundled packages. */
export const bundledLicenses = (): string =>
  bundledPackages.map((name) => `${name}\n\n${readFileSync(join(folderOf(name), 'LICENSE.md'), 'utf8').trim()}\n`).join('\n\n');
