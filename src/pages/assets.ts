import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { type GzipFile, serveGzipFiles } from './gzip-files.js';

/** URL path of the scripts, styles and images of the pages. */
const urlPath = '/assets';

/** Directory of the files. The build copies them next to the bundled service. */
const directory = () =>
  [`${import.meta.dirname}/../assets`, `${import.meta.dirname}/assets`].find(existsSync) ?? import.meta.dirname;

const compress = promisify(gzip);

interface Assets {
  /** Hash of all files, which is part of each URL. Browsers can cache files forever, and scripts import files of the same release. */
  readonly version: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly files: readonly GzipFile[];
}

/** Reads and compresses all files. Their total size is less than 100 kB. */
function readAssets(): Assets {
  const folder = directory();
  const texts = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const files = [...texts].map(([name, text]) => {
    const bytes = compress(text);
    return { name, bytes: () => bytes };
  });
  const version = createHash('sha256')
    .update(JSON.stringify([...texts]))
    .digest('hex')
    .slice(0, 16);
  return { version, texts, files };
}

let cached: Assets | undefined;
/** Returns the files. Reads them on the first call. */
const assets = () => {
  cached ??= readAssets();
  return cached;
};

/** Returns the URL path of a file. */
export const assetPath = (name: string): string => `${urlPath}/${assets().version}/${name}`;

/** Returns the content of a file, for pages that include it inline. Empty if the file does not exist. */
export const assetText = (name: string): string => assets().texts.get(name) ?? '';

/** Serves the files of this release. */
export function serveAssets(): RequestHandler {
  let serveFiles: ReturnType<typeof serveGzipFiles> | undefined;
  return Router().get(`${urlPath}/:version/:name`, (request, response, next) => {
    if (request.params.version !== assets().version) return next();
    serveFiles ??= serveGzipFiles(assets().files);
    return serveFiles(request, response, next);
  });
}
