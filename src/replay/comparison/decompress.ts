import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/**
 * Decompresses a body according to its `Content-Encoding`. Returns null if the body or the encoding is invalid, or if the result exceeds
 * `maxBytes`.
 */
export async function decompress(body: Buffer, contentEncoding: string | undefined, maxBytes: number): Promise<Buffer | null> {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
  try {
    let content = body;
    for (const name of names.reverse()) {
      const decompressor = decompressors[name];
      if (!decompressor) return null;
      if (content.length > 0) content = await decompressor(content, { maxOutputLength: maxBytes });
    }
    return content.length > maxBytes ? null : content;
  } catch {
    return null;
  }
}
