import { closeSync, openSync, writeSync } from 'node:fs';
import type { HarEntry } from './har.js';

const head = `{"log":{"version":"1.2","creator":{"name":"courtside","version":"1"},"entries":[`;
const tail = '\n]}}\n';

/** A HAR file that is written as it goes. */
export interface HarFile {
  /** How many entries it has. */
  readonly entries: number;
  add(entry: HarEntry): void;
  close(): void;
}

/**
 * Makes the file; throws where there is one already, which somebody may still need. Each entry is one line, and is written over the end of
 * the file together with a new end, in one piece: whenever the process ends, the file is whole.
 */
export function newHarFile(path: string): HarFile {
  // Others have no business in it: what is not known to be personal stays in it.
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
