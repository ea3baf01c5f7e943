import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/index.js';
import { OpenResources } from '../../src/server/lifecycle/open-resources.js';
import { start } from '../../src/server/lifecycle/start.js';
import { start as startWorkers } from '../../src/server/workers/primary.js';
import { scratchDirectory } from '../support/servers/service-process.js';

/** Starts the service with a new data directory. Returns the problem, and whether the start created the directory. */
async function problemOf(startService: typeof start, variables: Record<string, string>) {
  const dataDir = join(await scratchDirectory(), 'data');
  const resources = new OpenResources();
  const problem = await (async () => startService(loadConfig({ DATA_DIR: dataDir, PORT: '0', ...variables }), resources))().then(
    () => null,
    ({ message }: Error) => message,
  );
  await resources.close();
  return { problem, createsData: existsSync(dataDir) };
}

test.each([
  ['a single process', start],
  ['the primary of several workers', startWorkers],
])(
  '%s reports an unusable manifest and unknown subgraphs before it opens the database',
  async (_, startService) => {
    const invalidManifest = join(await scratchDirectory(), 'documents.json');
    await writeFile(invalidManifest, '{"a": ');
    const [missing, invalid, subgraphs] = [
      await problemOf(startService, { TRUSTED_DOCUMENTS: '/nowhere.json' }),
      await problemOf(startService, { TRUSTED_DOCUMENTS: invalidManifest }),
      await problemOf(startService, { SUBGRAPHS: 'news,nwes,league', ROUTER_SECRET: 'router' }),
    ];
    expect({ missing, invalid, subgraphs }).toEqual({
      missing: { problem: expect.stringContaining('TRUSTED_DOCUMENTS: cannot read the file: '), createsData: false },
      invalid: {
        problem: expect.stringContaining(`TRUSTED_DOCUMENTS: ${invalidManifest} is not a manifest.`),
        createsData: false,
      },
      subgraphs: {
        problem: expect.stringMatching(
          /^SUBGRAPHS contains unknown modules: nwes, league\. Available modules: reference, accounts, .*live\.$/,
        ),
        createsData: false,
      },
    });
  },
  120_000,
);
