import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { delayOf } from '../../../src/transfer/download/client.js';
import { DownloadDirectory } from '../../../src/transfer/download/progress.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

test.each(['', '{"source":', '{}'])('a download names the file with its progress if it contains %j', async (text) => {
  const directory = await scratchDirectory();
  await writeFile(join(directory, '.download.json'), text);
  await expect(DownloadDirectory.open(directory, 'https://old.example/v1')).rejects.toThrow(
    /\.download\.json is invalid: delete the directory and start again\.$/,
  );
});

test.each(['platform.csv', 'platform.ndjson', 'notes.txt'])(
  'a download rejects a directory with %s before it starts',
  async (name) => {
    const directory = await scratchDirectory();
    await writeFile(join(directory, name), 'id,title\n');
    await expect(DownloadDirectory.open(directory, 'https://old.example/v1')).rejects.toThrow(
      `${directory} contains ${name}, which is not part of the download: expected a directory that is empty or does not exist. Import other files from another directory.`,
    );
    expect(await readFile(join(directory, name), 'utf8')).toBe('id,title\n');
  },
);

const row = (id: string) => ({ table: 'club', id, values: { id } });

test('a download continues after an interruption between its files and its progress', async () => {
  const directory = await scratchDirectory();
  const open = () => DownloadDirectory.open(directory, 'https://old.example/v1');
  const progressPath = join(directory, '.download.json');
  const club = join(directory, 'club.ndjson');
  const first = await open();
  await first.append([], '/data/teams', 1);
  const saved = JSON.parse(await readFile(progressPath, 'utf8'));
  await first.append([row('c1')], '/data/clubs', 1);
  // The state after an interruption between writing the rows and writing the progress.
  await writeFile(progressPath, JSON.stringify({ ...saved, sizes: { club: 0, league: 0 } }));
  const second = await open();
  const ids = { restored: second.idsOf('club'), missing: second.idsOf('league') };
  await second.append([row('c1')], '/data/clubs', 1);
  const rows = (await readFile(club, 'utf8')).trimEnd().split('\n');
  expect({ ...ids, rows: rows.map((line) => JSON.parse(line).id), pages: (await open()).pagesOf('/data/clubs') }).toEqual({
    restored: [],
    missing: [],
    rows: ['c1'],
    pages: 1,
  });
});

test('a download records a new file before it creates it', async () => {
  const directory = await scratchDirectory();
  const download = await DownloadDirectory.open(directory, 'https://old.example/v1');
  // The file cannot be written, because a directory has its name.
  await mkdir(join(directory, 'club.ndjson'));
  await expect(download.append([row('c1')])).rejects.toThrow('EISDIR');
  expect(JSON.parse(await readFile(join(directory, '.download.json'), 'utf8')).sizes).toEqual({ club: 0 });
});

describe('a complete download', () => {
  const completeDownload = async () => {
    const directory = await scratchDirectory();
    const open = () => DownloadDirectory.open(directory, 'https://old.example/v1');
    const download = await open();
    await download.append([row('c1'), row('c2')], '/data/clubs');
    await download.complete();
    return { open, file: join(directory, 'club.ndjson') };
  };

  test.each([
    ['longer', '{"id":"c1","title":"A corrected title"}\n{"id":"c2"}\n', ['c1', 'c2']],
    ['shorter', '{"id":"c2"}\n', ['c2']],
    ['invalid in one line', '{"id":"c1"\n{"id":"c2"}\n', ['c2']],
  ])('keeps a file that a user made %s', async (_, text, ids) => {
    const { open, file } = await completeDownload();
    await writeFile(file, text);
    const download = await open();
    expect({ text: await readFile(file, 'utf8'), ids: download.idsOf('club') }).toEqual({ text, ids });
  });
});

test('an interrupted download is rejected if a file has become shorter', async () => {
  const directory = await scratchDirectory();
  const open = () => DownloadDirectory.open(directory, 'https://old.example/v1');
  await (await open()).append([row('c1'), row('c2')], '/data/clubs');
  const file = join(directory, 'club.ndjson');
  await writeFile(file, '{"id":"c2"}\n');
  await expect(open()).rejects.toThrow(`${file} is shorter than after the download: delete the directory and start again.`);
  expect(await readFile(file, 'utf8')).toBe('{"id":"c2"}\n');
});

const asksFor = (retryAfter: string) => new Response(null, { status: 429, headers: { 'Retry-After': retryAfter } });

test.each([
  ['Retry-After, in seconds', asksFor('45'), 45_000],
  ['an hour, if Retry-After is longer', asksFor('86400'), 3_600_000],
  ['half a second before the second attempt, without Retry-After', null, 500],
])('a download waits for %s', (_, response, delay) => expect(delayOf(response, 0)).toBe(delay));

test('a download doubles the delay up to half a minute without Retry-After', () =>
  expect([1, 5, 6, 20].map((attempt) => delayOf(null, attempt))).toEqual([1_000, 16_000, 30_000, 30_000]));
