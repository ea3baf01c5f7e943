import { loadConfig } from '../../config/index.js';
import { UsageError } from '../../process/command.js';
import { StartProblem } from '../../process/start-problem.js';
import { downloadRecords } from './download.js';

/** Returns the URL of a legacy interface without a slash at the end. Throws a UsageError if it is invalid. */
function legacyUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError('--from: expected the URL of the old interface, such as https://old.example/v1.');
  return url.href.replace(/\/+$/, '');
}

/**
 * Downloads the records of the legacy interface to a directory and prints the number of records in each list. Calls `checkDatabase` before
 * the first request, because a download can take minutes.
 */
export async function runDownload(
  from: string,
  directory: string,
  checkDatabase: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const url = legacyUrl(from);
  const { importToken: token } = loadConfig();
  if (token === null)
    throw new StartProblem('IMPORT_TOKEN or IMPORT_TOKEN_FILE must be set: expected a platform token of the old server.');
  // `fetch` rejects a header with other characters.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new StartProblem('IMPORT_TOKEN contains invalid characters: expected ASCII characters without spaces.');
  await checkDatabase();
  console.log(`Reading ${url} into ${directory}.`);
  const counts = await downloadRecords({ url, token }, directory, (path, records) => {
    if (records > 0) console.log(`${String(records).padStart(10)}  ${path}`);
  });
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`Read ${rows} rows of ${counts.size} tables. Password hashes and tokens are missing: import them from files.`);
}
