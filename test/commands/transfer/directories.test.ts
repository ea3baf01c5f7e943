import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { command as exportCommand, exportToDirectory } from '../../../src/commands/export.js';
import { command as importCommand } from '../../../src/commands/import.js';
import { startEmbedded } from '../../../src/database/embedded.js';
import { createDirectory } from '../../../src/process/create-directory.js';
import { freePort, portOf } from '../../../src/process/port.js';
import { DownloadDirectory } from '../../../src/transfer/download/progress.js';
import { checkExport } from '../../../src/transfer/import-database.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

// `mkdir` with `recursive` never returns for directories in /proc.
const unusable = '/proc/x';
const problem = (path: string) => `${path} cannot be created (ENOENT): expected a directory that you have permission to create.`;

test('a data directory that cannot be created is reported with its variable', async () => {
  await expect(startEmbedded(unusable)).rejects.toThrow(`${unusable} is not writable: set DATA_DIR to a writable directory.`);
});

test('directories of exports and downloads that cannot be created are reported', async () => {
  await expect(exportToDirectory('postgresql://unused', `${unusable}/y`, {})).rejects.toThrow(problem(`${unusable}/y`));
  await expect(DownloadDirectory.open(`${unusable}/y`, 'https://old.example/v1')).rejects.toThrow(problem(`${unusable}/y`));
});

test('createDirectory creates a directory and its parents, and returns the first new directory', async () => {
  const scratch = await scratchDirectory();
  const [first, path, file] = [join(scratch, 'a'), join(scratch, 'a', 'b', 'c'), join(scratch, 'file')];
  await writeFile(file, '');
  expect({
    created: await createDirectory(path, 0o700),
    repeated: await createDirectory(path, 0o700),
    file: await createDirectory(file).catch(({ message }: Error) => message),
    belowFile: await createDirectory(join(file, 'x')).catch(({ message }: Error) => message),
  }).toEqual({
    created: first,
    repeated: undefined,
    file: expect.stringMatching(/\/file cannot be created \(EEXIST\): expected a directory/),
    belowFile: expect.stringMatching(/\/file\/x cannot be created \(ENOTDIR\): expected a directory/),
  });
});

test('an export to a path that is a file, or below a file, names the path', async () => {
  const file = join(await scratchDirectory(), 'file');
  await writeFile(file, '');
  const messageFor = (path: string) =>
    exportCommand.run([path, '--database-url', 'postgresql://unused']).catch(({ message }: Error) => message);
  expect({ file: await messageFor(file), belowFile: await messageFor(join(file, 'x')) }).toEqual({
    file: `${file} is not a directory: expected a directory that is empty or does not exist.`,
    belowFile: `${file}/x is not a directory: expected a directory that is empty or does not exist.`,
  });
});

test('an import of a directory that does not exist creates no database', async () => {
  const [dataDir, directory] = [join(await scratchDirectory(), 'data'), join(await scratchDirectory(), 'missing')];
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('DATA_DIR', dataDir);
  await expect(importCommand.run([directory])).rejects.toThrow(
    `${directory} cannot be read: expected a directory with files to import.`,
  );
  expect(existsSync(dataDir)).toBe(false);
});

test('an import of an export with an invalid manifest creates no database', async () => {
  const [dataDir, directory] = [join(await scratchDirectory(), 'data'), await scratchDirectory()];
  await writeFile(join(directory, 'manifest.json'), '{}');
  vi.stubEnv('DATABASE_URL', undefined);
  vi.stubEnv('DATA_DIR', dataDir);
  await expect(importCommand.run([directory])).rejects.toThrow(`${directory}/manifest.json is invalid: `);
  expect(existsSync(dataDir)).toBe(false);
});

test('an export to a directory with an incomplete export names the reason', async () => {
  const directory = await scratchDirectory();
  await writeFile(join(directory, 'export.incomplete'), '');
  await expect(exportCommand.run([directory, '--database-url', 'postgresql://unused'])).rejects.toThrow(
    `${directory} contains an incomplete export: expected a directory that is empty or does not exist.`,
  );
});

test('an import from the old interface reports an unreachable database before it reads', async () => {
  const directory = join(await scratchDirectory(), 'records');
  const [server, requests] = [createServer(), [] as string[]];
  server.on('request', ({ url = '' }, response) => {
    requests.push(url);
    response.writeHead(404).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('IMPORT_TOKEN', 'old-token');
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const databaseUrl = `postgresql://ana@127.0.0.1:${await freePort()}/courtside`;
  const importing = importCommand.run([
    directory,
    '--from',
    `http://127.0.0.1:${portOf(server)}/v1`,
    '--database-url',
    databaseUrl,
  ]);
  await expect(importing).rejects.toThrow(/--database-url/);
  expect({ requests, isCreated: existsSync(directory) }).toEqual({ requests: [], isCreated: false });
});

test('an import reports a manifest that is not JSON', async () => {
  const directory = await scratchDirectory();
  await writeFile(join(directory, 'manifest.json'), '{"format": 1,');
  await expect(checkExport(directory)).rejects.toThrow(
    `${join(directory, 'manifest.json')} is not valid JSON: repeat the export.`,
  );
});
