import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import bundles, { bundledPackages, consoleBundle } from './rolldown.config.ts';
import { compressFiles } from './src/pages/graphiql-files.ts';
import { readRecordedExchanges } from './src/pages/recorded-files.ts';

/** Input files of the build. npm changes the last one when it installs packages. */
const sources = [
  ...['src', 'compat', 'migrations', 'test/compat/golden'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ),
  ...[
    'build.ts',
    'rolldown.config.ts',
    'schema/schema.graphql',
    'docs/decisions.md',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
    'node_modules/.package-lock.json',
  ],
];

const stateOf = (file: string): string => {
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  return `${file} ${mtimeMs} ${size}`;
};

const stamp = 'dist/built';
const state = createHash('sha256').update(sources.map(stateOf).join('\n')).digest('hex');

// An unchanged build is not repeated, because a build deletes the compile cache of V8 in dist/compiled.
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
  rmSync('dist', { recursive: true, force: true });
  await build([...bundles, consoleBundle]);
  // The executable `courtside`.
  chmodSync('dist/src/commands/run.js', 0o755);
  cpSync('src/pages/assets', 'dist/assets', { recursive: true });
  mkdirSync('dist/graphiql');
  for (const { name, bytes } of Object.values(compressFiles())) writeFileSync(join('dist/graphiql', name), await bytes());
  mkdirSync('dist/reference');
  writeFileSync('dist/reference/recorded.json', JSON.stringify(readRecordedExchanges('.')));
  // A release adds these packages to its SBOM.
  writeFileSync('dist/development/packages.json', JSON.stringify([...bundledPackages].sort()));
  writeFileSync(stamp, state);
}
