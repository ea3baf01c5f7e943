import type { DecodedRecord } from '../../../compat/import/read-record.js';
import type { ReadableList, ReadableRoutes } from '../../../compat/import/readable-routes.js';
import { pageParameters, readableRoutes } from '../../../compat/import/readable-routes.js';
import { graphOfModules } from '../../graphql/graph.js';
import { optionsOf } from '../../kernel/declare/record.js';
import { StartProblem } from '../../process/start-problem.js';
import { createUrlReader, type ReadUrl } from './client.js';
import { prefetch } from './prefetch.js';
import { DownloadDirectory } from './progress.js';
import { importedRecordMeta, referencesOf, rowsOf } from './row.js';

/** Number of concurrent requests, and number of records per page or batch. */
const [concurrency, pageSize] = [4, 1000];

/** Server to read from. */
export interface DownloadSource {
  /** URL of the legacy interface, such as `https://old.example/v1`. */
  readonly url: string;
  /** Platform token of this server. */
  readonly token: string;
}

/** Called with the number of records after each complete list, and after the referenced records of each type. */
export type ReportList = (path: string, records: number) => void;

interface Download {
  /** URL of the legacy interface. */
  readonly url: string;
  readonly routes: ReadableRoutes;
  readonly directory: DownloadDirectory;
  readonly read: ReadUrl;
  readonly report: ReportList;
}

const tableOf = (type: string): string | null => {
  const meta = importedRecordMeta(type);
  return meta && optionsOf(meta.cls).table;
};

/** Parses a response. If the response does not have the documented format, throws a StartProblem that names the path. */
function parse<T>(path: string, text: string, read: (text: string) => T): T {
  try {
    return read(text);
  } catch (error) {
    throw new StartProblem(`${path} returned an unexpected response: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Reads a page of a list. Throws a StartProblem if the list does not exist. */
async function readPage({ url, read }: Download, list: ReadableList, query: string) {
  const path = `${list.path}${query}`;
  const text = await read(path);
  if (text === null) throw new StartProblem(`${url}${path} does not exist: check the URL, which ends in /v1.`);
  return parse(path, text, list.read);
}

const idOf = (record: DecodedRecord | undefined): unknown => record?.values.get('id');

function* numbersFrom(first: number): Generator<number> {
  for (let page = first; ; page++) yield page;
}

/** Returns the number of records that two pages have in common. */
function commonRecords(page: readonly DecodedRecord[], other: readonly DecodedRecord[]): number {
  const ids = new Set(other.map(idOf));
  return page.filter((record) => idOf(record) !== undefined && ids.has(idOf(record))).length;
}

/**
 * Returns a function that throws a StartProblem if a page has the same records as an earlier page. Without this check, the download would
 * never end if the server ignored or capped the page number.
 */
function repetitionCheck({ path }: ReadableList): (records: readonly DecodedRecord[], query: string) => void {
  const pages = new Set<string>();
  return (records, query) => {
    const ids = JSON.stringify(records.map(idOf));
    if (pages.has(ids))
      throw new StartProblem(
        `${path}${query} returned the records of an earlier page: expected a server that supports ${pageParameters.page}.`,
      );
    pages.add(ids);
  };
}

/**
 * Reads a list page by page until a page is not full. Does not rely on the total, because it can be an estimate. On some servers,
 * `current_page` is the number of records to skip: page 2 then repeats all but two records of page 1. Because records can change between
 * the two requests, it is sufficient if page 2 repeats more than half of them. A server may also return smaller pages than requested.
 */
async function downloadPages(download: Download, list: ReadableList): Promise<void> {
  const { directory, report } = download;
  const first = await readPage(download, list, `?${pageParameters.size}=${pageSize}`);
  const size = first.records.length;
  const isOnlyPage = size === 0 || (size < pageSize && first.total === size);
  const readPages = directory.pagesOf(list.path) ?? 0;
  if (readPages === 0) await directory.append(first.records.flatMap(rowsOf), list.path, isOnlyPage ? null : 1);
  if (isOnlyPage) return report(list.path, size);
  const query = (page: number) => `?${pageParameters.size}=${size}&${pageParameters.page}=${page}`;
  const second = await readPage(download, list, query(2));
  const checkRepetition = repetitionCheck(list);
  checkRepetition(first.records, '');
  const isOffset = size > 2 && commonRecords(second.records, first.records) * 2 > size - 2;
  const numberedQuery = (page: number) => query(isOffset ? (page - 1) * size : page);
  const readNumbered = (page: number) => readPage(download, list, numberedQuery(page));
  for await (const [page, { records }] of prefetch(numbersFrom(Math.max(readPages, 1) + 1), concurrency, readNumbered)) {
    checkRepetition(records, numberedQuery(page));
    const isLast = records.length < size;
    await directory.append(records.flatMap(rowsOf), list.path, isLast ? null : page);
    if (isLast) return report(list.path, (page - 1) * size + records.length);
  }
}

async function downloadList(download: Download, list: ReadableList): Promise<void> {
  const { directory, report } = download;
  if (directory.pagesOf(list.path) === null) return;
  if (list.isPaged) return downloadPages(download, list);
  const { records } = await readPage(download, list, '');
  await directory.append(records.flatMap(rowsOf), list.path, null);
  report(list.path, records.length);
}

/** Reads referenced records that no list contains, such as users, until no further record is referenced. */
async function downloadReferences(download: Download, unknown: Set<string>): Promise<void> {
  const { directory, routes, read, report } = download;
  for (;;) {
    const missing = new Map<string, Set<string>>();
    await directory.eachRow((table, values) => {
      for (const { type, id } of referencesOf(table, values)) {
        const target = tableOf(type);
        if (target === null || directory.has(target, id) || unknown.has(`${type} ${id}`)) continue;
        missing.set(type, (missing.get(type) ?? new Set()).add(id));
      }
    });
    let count = 0;
    for (const route of routes.records) {
      const ids = [...(missing.get(route.type) ?? [])];
      missing.delete(route.type);
      count += ids.length;
      for (let start = 0; start < ids.length; start += pageSize) {
        const records: DecodedRecord[] = [];
        const batchIds = ids.slice(start, start + pageSize);
        for await (const [id, text] of prefetch(batchIds, concurrency, (id) => read(route.pathOf(id)))) {
          const record = text === null ? null : parse(route.pathOf(id), text, route.read);
          if (record && idOf(record) === id) records.push(record);
          else unknown.add(`${route.type} ${id}`);
        }
        await directory.append(records.flatMap(rowsOf));
      }
      if (ids.length > 0) report(route.pathOf('…').replace(encodeURIComponent('…'), '…'), ids.length);
    }
    if (count === 0) return;
  }
}

/** Reads the lists of each downloaded parent, such as the favorites of each user. */
async function downloadChildLists(download: Download): Promise<void> {
  const { directory, routes, read, report } = download;
  for (const list of routes.childLists) {
    const parentTable = tableOf(list.parentType);
    const name = list.pathOf('…').replace(encodeURIComponent('…'), '…');
    if (tableOf(list.type) === null || parentTable === null || directory.pagesOf(name) === null) continue;
    const ids = directory.idsOf(parentTable);
    let count = 0;
    let batch = directory.pagesOf(name) ?? 0;
    for (let start = batch * pageSize; start < ids.length; start += pageSize) {
      const records: DecodedRecord[] = [];
      const batchIds = ids.slice(start, start + pageSize);
      for await (const [id, text] of prefetch(batchIds, concurrency, (id) => read(list.pathOf(id))))
        if (text !== null) records.push(...parse(list.pathOf(id), text, list.read).records);
      count += records.length;
      await directory.append(records.flatMap(rowsOf), name, ++batch);
    }
    await directory.append([], name, null);
    report(name, count);
  }
}

/**
 * Reads all records that the legacy interface of another server returns, and writes them to a directory, with one file per table. Continues
 * an interrupted download. A complete download is not repeated. Returns the number of rows of each table.
 */
export async function downloadRecords(
  { url, token }: DownloadSource,
  path: string,
  report: ReportList = () => undefined,
): Promise<Map<string, number>> {
  const directory = await DownloadDirectory.open(path, url);
  if (directory.isComplete) return directory.counts();
  const routes = readableRoutes(graphOfModules());
  const state: Download = { url, routes, directory, read: createUrlReader(url, token), report };
  // Lists with nested records come last, so that nested records are first read in the order of their own list.
  const lists = routes.lists.toSorted((a, b) => Number(a.hasNested) - Number(b.hasNested));
  for (const list of lists) if (tableOf(list.type) !== null) await downloadList(state, list);
  const unknown = new Set<string>();
  await downloadReferences(state, unknown);
  await downloadChildLists(state);
  await downloadReferences(state, unknown);
  await directory.complete();
  return directory.counts();
}
