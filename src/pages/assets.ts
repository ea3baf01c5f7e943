import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import type { PackedFile } from './graphiql-files.js';
import { serving } from './packed.js';

/** The files of our own that pages load. */
const names = ['frame.css', 'page.css', 'explorer.css', 'start.js', 'reference.js', 'mark.svg'] as const;
type AssetName = (typeof names)[number];

/** Where they are served. */
const folder = '/assets';

/** Beside the parts that the service is bundled in, where the build has put them, or beside this file. */
const directory = () =>
  [`${import.meta.dirname}/../assets`, `${import.meta.dirname}/assets`].find(existsSync) ?? import.meta.dirname;

const pack = promisify(gzip);

/** Reads the files once a page needs them. They are a few kilobytes. */
function readAssets(): ReadonlyMap<AssetName, PackedFile & { readonly text: string }> {
  const from = directory();
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(from, name), 'utf8');
      const packed = pack(text);
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
      return [name, { name: `${hash}.${name}`, text, bytes: () => packed }];
    }),
  );
}

let known: ReturnType<typeof readAssets> | undefined;
const assets = () => {
  known ??= readAssets();
  return known;
};

/** Where a page loads a file from; the address changes with what is in it. */
export const asset = (name: AssetName): string => `${folder}/${assets().get(name)?.name}`;

/** What is in a file that stands in pages itself. */
export const assetText = (name: AssetName): string => assets().get(name)?.text ?? '';

/** Serves the files to pages, those of before an update excepted. */
export function assetFiles(): RequestHandler {
  let serve: ReturnType<typeof serving> | undefined;
  return Router().get(`${folder}/:name`, (request, response, next) => {
    serve ??= serving([...assets().values()]);
    return serve(request, response, next);
  });
}
