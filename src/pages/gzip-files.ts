import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const decompress = promisify(gunzip);

/** A file compressed with gzip, which nearly all browsers accept. */
export interface GzipFile {
  readonly name: string;
  bytes(): Promise<Buffer>;
}

/** Serves compressed files by name. Browsers may cache them for a year. */
export function serveGzipFiles(files: readonly GzipFile[]): RequestHandler<{ name: string }> {
  const byName = new Map(files.map((file) => [file.name, file]));
  return async (request, response, next) => {
    const file = byName.get(request.params.name);
    if (!file) return next();
    const bytes = await file.bytes();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(extname(file.name)).vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(bytes);
    else response.send(await decompress(bytes));
  };
}
