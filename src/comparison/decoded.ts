import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const ways: Readonly<Record<string, Decompress>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
};

/** Decompresses a body as specified by `Content-Encoding`. Null if it is invalid or exceeds `most` bytes. */
export async function decoded(body: Buffer, encodings: string | undefined, most: number): Promise<Buffer | null> {
  const names = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && name !== 'identity');
  try {
    let plain = body;
    for (const name of names.reverse()) {
      const way = ways[name];
      if (!way) return null;
      if (plain.length > 0) plain = await way(plain, { maxOutputLength: most });
    }
    return plain.length > most ? null : plain;
  } catch {
    return null;
  }
}
