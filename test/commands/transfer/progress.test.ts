import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DownloadDirectory } from '../../../src/transfer/download/progress.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

test.each(['', '{"source":', '{}'])('a download names the file with its progress if it contains %j', async (text) => {
  const directory = await scratchDirectory();
  await writeFile(join(directory, '.download.json'), text);
  await expect(DownloadDirectory.open(directory, 'https://old.example/v1')).rejects.toThrow(
    /\.download\.json is invalid: delete the directory and start again\.$/,
  );
});
