import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { GzipFile } from './gzip-files.js';

// The build runs this file without compiling it, so it may import only types and Node.js modules.

/** Files of the GraphiQL page, and the names of the exports of `@graphql-yoga/render-graphiql` that contain them. */
const exportNames = {
  'editor.js': 'editorWorkerService',
  'json.js': 'jsonWorker',
  'graphql.js': 'graphqlWorker',
  'graphiql.css': 'css',
  'graphiql.js': 'js',
} as const;

/** Name of a file of the GraphiQL page, without its hash. */
export type FileName = keyof typeof exportNames;

/** Files whose names contain a hash of their content, so that browsers can cache them forever. */
type Files = Readonly<Record<FileName, GzipFile>>;

const names = Object.keys(exportNames) as FileName[];
const filesBy = (create: (name: FileName) => GzipFile) => Object.fromEntries(names.map((name) => [name, create(name)])) as Files;

const compress = promisify(gzip);

/** Extracts the files from Yoga's script of 9 MB, and compresses them. Removes the script from the module cache to free its memory. */
export function compressFiles(): Files {
  const require = createRequire(import.meta.url);
  const path = join(dirname(require.resolve('@graphql-yoga/render-graphiql')), 'graphiql.js');
  const exportedTexts: Readonly<Record<string, string>> = require(path);
  delete require.cache[path];
  return filesBy((name) => {
    const text = exportedTexts[exportNames[name]];
    if (!text) throw new Error(`@graphql-yoga/render-graphiql has no export ${exportNames[name]}`);
    const bytes = compress(text);
    return { name: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${name}`, bytes: () => bytes };
  });
}

/** Returns the files that the build has compressed. Null if the service runs from its sources. */
export function readBuiltFiles(directory: string): Files | null {
  if (!existsSync(directory)) return null;
  const files = readdirSync(directory);
  return filesBy((name) => {
    const file = files.find((candidate) => candidate.endsWith(`.${name}`));
    if (!file) throw new Error(`${directory} has no ${name}: run "npm run build" again`);
    return { name: file, bytes: () => readFile(join(directory, file)) };
  });
}
