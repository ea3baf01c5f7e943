import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import type { PackedFile } from './graphiql-files.js';
import { serving } from './packed.js';

/** Where the files of our own are served that pages load. */
const folder = '/assets';

/** Where they are: beside the parts that the service is bundled in, where the build has put them, or beside this file. */
const directory = () =>
  [`${import.meta.dirname}/../assets`, `${import.meta.dirname}/assets`].find(existsSync) ?? import.meta.dirname;

const pack = promisify(gzip);

interface Assets {
  /** Says what is in all of them, so that they find each other by their names, and browsers may keep them for ever. */
  readonly version: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly files: readonly PackedFile[];
}

/** Reads the files once a page needs them. They are a few kilobytes. */
function readAssets(): Assets {
  const from = directory();
  const texts = new Map(readdirSync(from).map((name) => [name, readFileSync(join(from, name), 'utf8')]));
  const files = [...texts].map(([name, text]) => {
    const packed = pack(text);
    return { name, bytes: () => packed };
  });
  const version = createHash('sha256')
    .update(JSON.stringify([...texts]))
    .digest('hex')
    .slice(0, 16);
  return { version, texts, files };
}

let known: Assets | undefined;
const assets = () => {
  known ??= readAssets();
  return known;
};

/** Where a page loads a file from. */
export const asset = (name: string): string => `${folder}/${assets().version}/${name}`;

/** What is in a file that stands in pages itself. */
export const assetText = (name: string): string => assets().texts.get(name) ?? '';

/** Serves the files to the pages of this release. */
export function assetFiles(): RequestHandler {
  let serve: ReturnType<typeof serving> | undefined;
  return Router().get(`${folder}/:version/:name`, (request, response, next) => {
    if (request.params.version !== assets().version) return next();
    serve ??= serving(assets().files);
    return serve(request, response, next);
  });
}
