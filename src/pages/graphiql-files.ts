import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The files that GraphiQL's page loads, and what Yoga calls their texts, which it packages in one script. */
const texts = {
  'editor.js': 'editorWorkerService',
  'json.js': 'jsonWorker',
  'graphql.js': 'graphqlWorker',
  'graphiql.css': 'css',
  'graphiql.js': 'js',
} as const;

/** A file of GraphiQL's page, by what it is. */
export type FileName = keyof typeof texts;

/** A file that is packed by gzip, as nearly all browsers take it. */
export interface PackedFile {
  /** Says its content, so that browsers may keep it for ever: a hash and what it is. */
  readonly name: string;
  bytes(): Promise<Buffer>;
}

type Files = Readonly<Record<FileName, PackedFile>>;

const names = Object.keys(texts) as FileName[];
const filesBy = (make: (name: FileName) => PackedFile) => Object.fromEntries(names.map((name) => [name, make(name)])) as Files;

const pack = promisify(gzip);

/** Packs the files out of Yoga's script, of nine megabytes. Node forgets the script again, which is all text. */
export function packFiles(): Files {
  const require = createRequire(import.meta.url);
  const path = join(dirname(require.resolve('@graphql-yoga/render-graphiql')), 'graphiql.js');
  const parts: Readonly<Record<string, string>> = require(path);
  delete require.cache[path];
  return filesBy((name) => {
    const text = parts[texts[name]];
    if (!text) throw new Error(`GraphiQL has no ${texts[name]}`);
    const packed = pack(text);
    return { name: `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${name}`, bytes: () => packed };
  });
}

/** The files as the build has packed them into a directory; null where it has not, because the service runs from its sources. */
export function builtFiles(directory: string): Files | null {
  if (!existsSync(directory)) return null;
  const found = readdirSync(directory);
  return filesBy((name) => {
    const file = found.find((each) => each.endsWith(`.${name}`));
    if (!file) throw new Error(`the build has no ${name}`);
    return { name: file, bytes: () => readFile(join(directory, file)) };
  });
}
