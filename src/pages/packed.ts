import { extname } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RequestHandler } from 'express';
import type { PackedFile } from './graphiql-files.js';

const unpack = promisify(gunzip);

/** Serves files that browsers may keep for ever. */
export function serving(files: readonly PackedFile[]): RequestHandler<{ name: string }> {
  const byName = new Map(files.map((file) => [file.name, file]));
  return async (request, response, next) => {
    const file = byName.get(request.params.name);
    if (!file) return next();
    const packed = await file.bytes();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(extname(file.name)).vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(packed);
    else response.send(await unpack(packed));
  };
}
