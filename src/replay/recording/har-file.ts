import { closeSync, openSync, writeSync } from 'node:fs';

/** A header or query parameter. */
export interface HarPair {
  readonly name: string;
  readonly value: string;
}

/** An entry of HAR 1.2. Properties that start with `_` are extensions, which the format permits. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly queryString: readonly HarPair[];
    readonly postData?: {
      readonly mimeType: string;
      readonly params: readonly [];
      readonly text: string;
      readonly _encoding?: 'base64';
    };
    readonly headersSize: -1;
    readonly bodySize: number;
    /** Reason why the body was not recorded. */
    readonly _leftOut?: string;
  };
  readonly response: {
    /** Status of the response. 0 if there was no response. */
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly [];
    readonly headers: readonly HarPair[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: 'base64';
      readonly comment?: string;
    };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
  };
  readonly cache: Record<string, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}

const head = `{"log":{"version":"1.2","creator":{"name":"courtside","version":"1"},"entries":[`;
const tail = '\n]}}\n';

/** HAR file that is valid after each added entry. */
export interface HarFile {
  /** Number of entries. */
  readonly entries: number;
  add(entry: HarEntry): void;
  close(): void;
}

/**
 * Creates a HAR file. Throws if the file exists. Each entry is one line. A single write replaces the end of the file with the entry and a
 * new end. The file therefore remains valid if the process is killed between two entries.
 */
export function createHarFile(path: string): HarFile {
  // Only the owner may read the file, because the redactor can miss personal data.
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
