import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const newline = '\n'.charCodeAt(0);

/** Number of bytes per read. */
const chunkSize = 1024 * 1024;

/** Number of rows, and SHA-256 in hexadecimal, of a file with one row per line. */
export interface RowFile {
  readonly rows: number;
  readonly sha256: string;
}

/** Writes rows to a new file, one per line. Only its owner can read it. */
export async function writeRows(path: string, batches: AsyncIterable<readonly string[]>): Promise<RowFile> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let rows = 0;
  try {
    for await (const batch of batches) {
      const bytes = Buffer.from(`${batch.join('\n')}\n`);
      rows += batch.length;
      hash.update(bytes);
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Reads a file in blocks of about a megabyte. Each block consists of complete lines. */
export async function* readBlocks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let incompleteLine: Buffer[] = [];
    for await (const chunk of file.createReadStream({ highWaterMark: chunkSize, autoClose: false })) {
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        yield Buffer.concat([...incompleteLine, chunk.subarray(0, end)]);
        incompleteLine = [];
      }
      if (end < chunk.length) incompleteLine.push(chunk.subarray(end));
    }
    if (incompleteLine.length > 0) yield Buffer.concat(incompleteLine);
  } finally {
    await file.close();
  }
}

/** Returns the SHA-256 of a file in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const block of readBlocks(path)) hash.update(block);
  return hash.digest('hex');
}
