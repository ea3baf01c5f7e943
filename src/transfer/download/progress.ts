import { open, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createDirectory } from '../../process/create-directory.js';
import { StartProblem } from '../../process/start-problem.js';
import { isIgnored } from '../records/record-files.js';
import { readBlocks } from '../row-files.js';
import type { TableRow } from './row.js';

/** Name of the file with the progress of a download. Imports ignore hidden files. */
const progressFile = '.download.json';

const progress = z.object({
  source: z.string(),
  /** Start of the download, in milliseconds since the Unix epoch. */
  startedAt: z.number(),
  isComplete: z.boolean(),
  /** Number of pages read from each list, keyed by path. Null for complete lists. */
  pages: z.record(z.string(), z.number().int().nullable()),
  /** Sizes of the files in bytes. If a file is longer, it ends with rows of an interrupted page. */
  sizes: z.record(z.string(), z.number().int()),
});

type Progress = z.infer<typeof progress>;

/** Parses the progress. Returns undefined for invalid text, such as an empty file after a power failure. */
function parseProgress(text: string): Progress | undefined {
  try {
    return progress.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Returns the start time of the download in a directory. Null if the directory contains no download. */
export async function downloadStartOf(directory: string): Promise<Date | null> {
  const text = await readFile(join(directory, progressFile), 'utf8').catch(() => null);
  const data = text === null ? undefined : parseProgress(text);
  return data ? new Date(data.startedAt) : null;
}

const fileOf = (table: string): string => `${table}.ndjson`;

/** Returns the ID of a row in a line. Undefined for an empty line, and for a line that is not JSON. */
function idOf(line: string): string | undefined {
  try {
    return JSON.parse(line).id;
  } catch {
    return undefined;
  }
}

/** Directory with downloaded rows, one file per table. An interrupted download continues after its last complete page. */
export class DownloadDirectory {
  readonly #directory: string;
  readonly #progress: Progress;
  /** IDs of the rows of each table. */
  readonly #ids = new Map<string, Set<string>>();

  private constructor(directory: string, state: Progress) {
    this.#directory = directory;
    this.#progress = state;
  }

  /** Opens a directory for a download. Throws a StartProblem if it contains a download from another server, or other files. */
  static async open(directory: string, source: string): Promise<DownloadDirectory> {
    await createDirectory(directory, 0o700);
    const path = join(directory, progressFile);
    const text = await readFile(path, 'utf8').catch(() => null);
    const data = text === null ? null : parseProgress(text);
    if (data === undefined) throw new StartProblem(`${path} is invalid: delete the directory and start again.`);
    if (data && data.source !== source)
      throw new StartProblem(`${directory} contains data from ${data.source}: use another directory for ${source}.`);
    const state = data ?? { source, startedAt: Date.now(), isComplete: false, pages: {}, sizes: {} };
    const download = new DownloadDirectory(directory, state);
    if (!state.isComplete) await download.#rejectOtherFiles();
    for (const [table, size] of Object.entries(state.sizes)) {
      // After a complete download, users can correct the files.
      if (!state.isComplete) await download.#removeIncompletePage(table, size);
      await download.#readIds(table);
    }
    return download;
  }

  get isComplete(): boolean {
    return this.#progress.isComplete;
  }

  /** Number of pages read from a list. Null for a complete list. */
  pagesOf(path: string): number | null {
    const pages = this.#progress.pages[path];
    return pages === undefined ? 0 : pages;
  }

  /** Number of rows of each table. */
  counts(): Map<string, number> {
    return new Map([...this.#ids].map(([table, ids]) => [table, ids.size]));
  }

  has(table: string, id: string): boolean {
    return this.#ids.get(table)?.has(id) === true;
  }

  idsOf(table: string): string[] {
    return [...(this.#ids.get(table) ?? [])];
  }

  /** Calls `use` with all rows of all tables. */
  async eachRow(use: (table: string, values: Record<string, unknown>) => void): Promise<void> {
    for (const table of this.#ids.keys())
      for await (const block of readBlocks(join(this.#directory, fileOf(table))))
        for (const line of block.toString().split('\n')) if (line !== '') use(table, JSON.parse(line));
  }

  /** Appends the rows that are new, and saves the progress: the number of pages of a list, or null if it is complete. */
  async append(rows: readonly TableRow[], path?: string, pages: number | null = null): Promise<void> {
    const byTable = Map.groupBy(rows, ({ table }) => table);
    await this.#addFiles(byTable.keys());
    for (const [table, tableRows] of byTable) {
      const ids = this.#ids.get(table) ?? new Set();
      this.#ids.set(table, ids);
      const lines = tableRows.flatMap(({ id, values }) => {
        if (ids.has(id)) return [];
        ids.add(id);
        return `${JSON.stringify(values)}\n`;
      });
      await this.#write(table, lines.join(''));
    }
    if (path !== undefined) this.#progress.pages[path] = pages;
    await this.#save();
  }

  async complete(): Promise<void> {
    this.#progress.isComplete = true;
    await this.#save();
  }

  /** Throws a StartProblem for a file that the download did not write. Its rows could repeat or contradict those of the download. */
  async #rejectOtherFiles(): Promise<void> {
    const files = new Set(Object.keys(this.#progress.sizes).map(fileOf));
    const other = (await readdir(this.#directory)).sort().find((name) => !isIgnored(name) && !files.has(name));
    if (other !== undefined)
      throw new StartProblem(
        `${this.#directory} contains ${other}, which is not part of the download: expected a directory that is empty or does not exist. Import other files from another directory.`,
      );
  }

  /** Saves the names of new files before they are created, so that a continued download recognizes them. */
  async #addFiles(tables: Iterable<string>): Promise<void> {
    const { sizes } = this.#progress;
    const newTables = [...tables].filter((table) => sizes[table] === undefined);
    if (newTables.length === 0) return;
    for (const table of newTables) sizes[table] = 0;
    await this.#save();
  }

  async #write(table: string, text: string): Promise<void> {
    const file = await open(join(this.#directory, fileOf(table)), 'a', 0o600);
    try {
      await file.writeFile(text);
      this.#progress.sizes[table] = (this.#progress.sizes[table] ?? 0) + Buffer.byteLength(text);
    } finally {
      await file.close();
    }
  }

  /** Replaces the file with the progress atomically, so that a crash leaves a complete file. */
  async #save(): Promise<void> {
    const path = join(this.#directory, progressFile);
    await writeFile(`${path}.new`, JSON.stringify(this.#progress), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Removes the rows of an interrupted page from a file. */
  async #removeIncompletePage(table: string, size: number): Promise<void> {
    const path = join(this.#directory, fileOf(table));
    // The file may not have been created yet.
    if (size === 0) await writeFile(path, '', { mode: 0o600 });
    const file = await stat(path).catch(() => null);
    if (!file) throw new StartProblem(`${path} is missing: delete the directory and start again.`);
    if (file.size < size)
      throw new StartProblem(`${path} is shorter than after the download: delete the directory and start again.`);
    await truncate(path, size);
  }

  /** Reads the IDs of the rows in a file. Skips lines that are not JSON, because the import reports them. */
  async #readIds(table: string): Promise<void> {
    const ids = new Set<string>();
    this.#ids.set(table, ids);
    const path = join(this.#directory, fileOf(table));
    if (!(await stat(path).catch(() => null))) return;
    for await (const block of readBlocks(path))
      for (const line of block.toString().split('\n')) {
        const id = idOf(line);
        if (id !== undefined) ids.add(id);
      }
  }
}
