import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openOrm } from '../../../src/database/orm.js';
import { loadDemo } from '../../../src/demo/index.js';
import { demo } from '../../../src/demo/tokens.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { hashOf } from '../../../src/modules/accounts/tokens/secrets.js';
import { startApp, type TestApp } from './app.js';
import { oncePerRun } from './once-per-run.js';
import { copyOf } from './test-database.js';

const stepsFile = () => join(inject('scratch'), 'season-steps.json');

/** Loads the demo season into the database `season`, from which the databases of tests are copied. */
async function loadSeason(): Promise<void> {
  const { url } = await copyOf('template', 'season');
  const orm = await openOrm({ url });
  const steps: string[] = [];
  await loadDemo(new Session(new Pools(orm), 'write'), (step) => steps.push(step));
  await orm.close();
  writeFileSync(stepsFile(), JSON.stringify(steps));
}

/** Starts a service with the demo season, including its platform, tokens and keys. */
export async function startDemo(environment: Record<string, string> = {}): Promise<TestApp> {
  await oncePerRun('season', loadSeason);
  const app = await startApp(environment, await copyOf('season'));
  await app.sql.rows(`delete from platform where id = 'test-platform'`);
  return app;
}

/**
 * Starts a service with the demo season. The platform and the publishable key of the season use the tokens of the test app instead of the
 * documented tokens.
 */
export async function startSeason(environment: Record<string, string> = {}): Promise<TestApp> {
  const app = await startDemo(environment);
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

/** Returns the steps that were reported when the demo season was loaded. */
export const reportedSteps = (): string[] => JSON.parse(readFileSync(stepsFile(), 'utf8'));

/** Maximum number of rows of the tables that refer to most users. */
const rowsToKeep = {
  team: 20,
  tournament_referee: 8,
  pregame: 8,
  prematch: 8,
  sponsor: 6,
  user_image: 20,
  biography: 40,
  game: 8,
};

/** Starts a service with the demo season, in which few users are referenced. For tests that read users one by one. */
export async function startTrimmedSeason(): Promise<TestApp> {
  const app = await startSeason();
  for (const [table, count] of Object.entries(rowsToKeep))
    await app.sql.rows(`delete from ${table} where id not in (select id from ${table} order by id limit ${count})`);
  return app;
}
