import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { legacyRecords, legacyRoutes } from '../../../compat/index.js';
import { createReference } from '../../../compat/reference/index.js';
import { graphOfModules } from '../../graphql/graph.js';
import { type Command, parseArguments } from '../../process/command.js';
import { emitSchemas } from '../emit.js';
import { cacheDeclarations, cacheModule } from './cache-shape.js';
import { legacyCode, legacyTypes } from './legacy-types.js';
import {
  bundledLicenses,
  copyDocumentTypes,
  indexTypes,
  introspectionTypes,
  manifestOf,
  readmeOf,
  scalarTypes,
} from './package-files.js';

const target = 'dist/sdk';
const write = (name: string, text: string) => writeFileSync(join(target, name), text);

const usage = `Usage: npm run build

Builds the TypeScript SDK, with clients for GraphQL and /v1, as the npm package courtside-sdk in ${target}. "courtside sdk" copies it.

Examples:
  npm run build
  npm publish ./${target}`;

async function run(args: string[]): Promise<number> {
  parseArguments({ args });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  await build({
    input: { index: 'src/sdk/index.ts', legacy: 'src/sdk/legacy.ts', 'cache-options': 'src/sdk/caches.ts' },
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    output: { dir: target, chunkFileNames: 'connection.js' },
  });
  execFileSync('node_modules/.bin/tsc', ['-p', 'src/sdk/tsconfig.json'], { stdio: 'inherit' });
  copyDocumentTypes(join(target, 'types/tada'));

  const sdl = emitSchemas().get('schema.graphql') ?? '';
  write('schema.graphql', sdl);
  write('introspection.d.ts', introspectionTypes(sdl));
  write('index.d.ts', indexTypes(scalarTypes(sdl)));
  write('caches.js', cacheModule(sdl));
  write('caches.d.ts', cacheDeclarations);
  write('THIRD-PARTY-LICENSES', bundledLicenses());
  write('package.json', `${JSON.stringify(manifestOf(JSON.parse(readFileSync('package.json', 'utf8'))), null, 2)}\n`);
  const reference = createReference({
    schema: graphOfModules(),
    routes: legacyRoutes,
    records: legacyRecords,
    recorded: { examples: {}, decisions: [] },
  });
  write('v1.js', legacyCode(reference));
  write('v1.d.ts', await legacyTypes(reference));
  copyFileSync('LICENSE', join(target, 'LICENSE'));
  write('README.md', readmeOf(readFileSync('docs/sdk.md', 'utf8')));
  console.log(`Built the package in ${target}.`);
  return 0;
}

export const command: Command = { usage, run };
