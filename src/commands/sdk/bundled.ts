import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** Packages of which the SDK brings a part: it depends on none. */
const bundled = ['gql.tada', '@0no-co/graphql.web'];

const folderOf = (name: string): string => require.resolve(`${name}/package.json`).slice(0, -'/package.json'.length);

/** These types are those of graphql where that is installed. Without it the compiler would take all of them for anything. */
const withoutGraphQL = (types: string): string =>
  types.replace("import * as GraphQL from 'graphql';", '').replaceAll(/(?:typeof )?GraphQL\.\w+/g, 'any');

/** Lays the types of documents beside those of the SDK, as their makers wrote them. */
export function copyDocumentTypes(target: string): void {
  const [tada = '', web = ''] = bundled.map(folderOf);
  mkdirSync(join(target, 'chunks'), { recursive: true });
  copyFileSync(join(tada, 'dist/gql-tada.d.ts'), join(target, 'gql-tada.d.ts'));
  writeFileSync(join(target, 'graphql-web.d.ts'), withoutGraphQL(readFileSync(join(web, 'dist/graphql.web.d.ts'), 'utf8')));
  const chunk = readFileSync(join(tada, 'dist/chunks/index-chunk.d.ts'), 'utf8');
  writeFileSync(join(target, 'chunks/index-chunk.d.ts'), chunk.replace("'@0no-co/graphql.web'", "'../graphql-web.js'"));
}

/** The licenses of what is bundled. */
export const bundledLicenses = (): string =>
  bundled.map((name) => `${name}\n\n${readFileSync(join(folderOf(name), 'LICENSE.md'), 'utf8').trim()}\n`).join('\n\n');
