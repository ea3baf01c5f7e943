import { loadDemo } from '../../src/demo/index.js';
import { demo } from '../../src/demo/tokens.js';
import { hashOf } from '../../src/modules/accounts/secrets.js';
import { startApp, type TestApp } from '../support/servers/app.js';

/** Starts a service with the demo season. Its platform token and publishable key are those that the pages show. */
export async function startSeason(): Promise<TestApp> {
  const app = await startApp();
  await app.sql.rows('delete from platform');
  await loadDemo(app.sql, () => undefined);
  await app.sql.rows('update platform set token_hash = $1 where token_hash = $2', [
    hashOf(app.platform.platform),
    hashOf(demo.platformToken),
  ]);
  await app.sql.rows('update publishable_key set key_hash = $1 where key_hash = $2', [
    hashOf(app.demoKey),
    hashOf(demo.publishableKey),
  ]);
  return app;
}
