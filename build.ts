import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import bundles from './rolldown.config.ts';
import { packFiles } from './src/pages/graphiql-files.ts';
import { packRecorded } from './src/pages/recorded-files.ts';

/** What the build is made of; the last one tells which packages are installed. */
const sources = [
  ...['src', 'compat', 'migrations', 'test/compat/golden'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  ),
  ...[
    'build.ts',
    'rolldown.config.ts',
    'docs/decisions.md',
    'tsconfig.json',
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

// Nothing is done again: what V8 has compiled lies beside the build.
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
  rmSync('dist', { recursive: true, force: true });
  await build(bundles);
  mkdirSync('dist/graphiql');
  for (const { name, bytes } of Object.values(packFiles())) writeFileSync(join('dist/graphiql', name), await bytes());
  mkdirSync('dist/reference');
  writeFileSync('dist/reference/recorded.json', JSON.stringify(packRecorded('.')));
  writeFileSync(stamp, state);
}
