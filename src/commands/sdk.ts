import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { emit } from './emit.js';
import { bundledLicenses, copyDocumentTypes } from './sdk/bundled.js';
import { introspectionTypes, scalarTypes } from './sdk/graph-types.js';
import { indexTypes, manifestOf } from './sdk/package-files.js';

const target = 'dist/sdk';
const write = (name: string, text: string) => writeFileSync(join(target, name), text);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
await build({
  input: { index: 'sdk/index.ts', legacy: 'sdk/legacy.ts' },
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'] },
  output: { dir: target, chunkFileNames: 'connection.js' },
});
execFileSync('node_modules/.bin/tsc', ['-p', 'sdk/tsconfig.json'], { stdio: 'inherit' });
copyDocumentTypes(join(target, 'types/tada'));

const sdl = emit().get('schema.graphql') ?? '';
write('schema.graphql', sdl);
write('introspection.d.ts', introspectionTypes(sdl));
write('index.d.ts', indexTypes(scalarTypes(sdl)));
write('THIRD-PARTY-LICENSES', bundledLicenses());
write('package.json', `${JSON.stringify(manifestOf(JSON.parse(readFileSync('package.json', 'utf8'))), null, 2)}\n`);
copyFileSync('LICENSE', join(target, 'LICENSE'));
copyFileSync('docs/sdk.md', join(target, 'README.md'));
console.log(`${target}: ready to publish`);
