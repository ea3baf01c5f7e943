import 'reflect-metadata';
import type { Client } from 'pg';
import { pino } from 'pino';
import { migrate } from '../../../src/database/migrate.js';
import { openOrm } from '../../../src/database/orm.js';
import { Pools, Session } from '../../../src/kernel/session.js';
import { createBoss, declareQueues, defaultRetry } from '../../../src/messaging/queues.js';
import { loadReference } from '../../../src/modules/reference/load-sql.js';

/** Creates the template database with all migrations, the reference data and the tables of the message queue. */
export async function makeTemplate(url: string, client: Client): Promise<void> {
  await client.query('create database template');
  const orm = await openOrm({ url: new URL('/template', url).href });
  await migrate(orm);
  await loadReference(new Session(new Pools(orm), 'write'));
  await orm.close();
  await installQueue(new URL('/template', url).href);
  await client.query('alter database template with is_template true allow_connections false');
}

/** Creates the tables of the message queue, so that test apps do not create them. */
async function installQueue(url: string): Promise<void> {
  const boss = createBoss(url, pino({ level: 'silent' }));
  await boss.start();
  await declareQueues(boss, defaultRetry, []);
  await boss.stop({ graceful: false });
}
