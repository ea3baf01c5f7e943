import { afterEach, expect, test, vi } from 'vitest';
import { runDownload } from '../../../src/transfer/download/run-download.js';
import { scratchDirectory } from '../../support/servers/service-process.js';

afterEach(() => vi.unstubAllEnvs());

test('a token with invalid characters is rejected before the first request, and not printed', async () => {
  vi.stubEnv('IMPORT_TOKEN', '\u201cplatform-token\u201d');
  await expect(runDownload('http://127.0.0.1:9/v1', await scratchDirectory())).rejects.toThrow(
    'IMPORT_TOKEN contains invalid characters: expected ASCII characters without spaces.',
  );
});
