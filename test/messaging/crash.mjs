// Commits messages and kills its own process before it sends them. With `sends`, it keeps running, so that a test can kill it while it
// sends. Runs the TypeScript sources.
import { registerHooks } from 'node:module';
import pg from 'pg';
import { pino } from 'pino';

registerHooks({
  resolve: (specifier, context, next) =>
    next(context.parentURL?.includes('/src/') ? specifier.replace(/^(\..*)\.js$/, '$1.ts') : specifier, context),
});
const { createMessaging } = await import('../../src/messaging/index.ts');

const [databaseUrl, smtpUrl, messages, sends] = process.argv.slice(2);
const config = { smtpUrl, mailFrom: 'no-reply@courtside.test', sms: null, catchUnsent: false, pollSeconds: sends ? 0.5 : 600 };
const service = await createMessaging({ config, databaseUrl, log: pino({ level: 'silent' }) });
await service.start();
const client = new pg.Client(databaseUrl);
await client.connect();
// Waits for the first poll of the queue. The next poll is ten minutes later.
await new Promise((later) => setTimeout(later, 300));
await client.query('begin');
await service.outbox.enqueueAll(JSON.parse(messages), client, 'counted');
await client.query('commit');
if (!sends) process.kill(process.pid, 'SIGKILL');
