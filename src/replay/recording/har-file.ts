import { closeSync, openSync, writeSync } from 'node:fs';
import type { HarEntry } from './har.js';

const head = `{"log":{"version":"1.2","creator":{"name":"courtside","version":"1"},"entries":[`;
const tail = '\n]}}\n';

/** A HAR file that is valid after each added entry. */
export interface HarFile {
  /** Number of entries. */
  readonly entries: number;
  add(entry: HarEntry): void;
  close(): void;
}

/**
 * Creates a HAR file. Throws if the file exists. Each entry is one line. One write replaces the end of the file by the entry and a new end. Therefore
 * the file remains valid if the process is killed between two entries.
 */
export function createHarFile(path: string): HarFile {
  // Only the owner may read the file, because redaction can miss personal data.
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, head + tail);
  let end = Buffer.byteLength(head);
  let entries = 0;
  return {
    get entries() {
      return entries;
    },
    add(entry) {
      const line = `${entries ? ',' : ''}\n${JSON.stringify(entry)}`;
      const bytes = Buffer.from(line + tail);
      writeSync(file, bytes, 0, bytes.length, end);
      end += bytes.length - tail.length;
      entries += 1;
    },
    close: () => closeSync(file),
  };
}
