import { expect, test } from 'vitest';
import { createMessaging } from '../../src/messaging/index.js';
import { closeAfterTest, database, log, logLines, quickRetries, useMessaging } from './context.js';

useMessaging();

const unsent = { smtpUrl: null, mailFrom: 'Courtside <no-reply@courtside.test>', sms: null, catchUnsent: false, ...quickRetries };

test('a failing scheduled job is logged as an error and does not prevent other jobs', async () => {
  let completed = 0;
  const scheduledJobs = [
    { name: 'failing', run: () => Promise.reject(new Error('it rains')) },
    { name: 'working', run: async () => completed++ },
  ];
  const schedule = { cron: '* * * * *', checkSeconds: 1, scheduledJobs };
  const service = await createMessaging({ config: unsent, databaseUrl: database.url, log, schedule });
  await service.start();
  closeAfterTest(service, service.stop);
  const failures = () => logLines.map((line) => JSON.parse(line)).filter(({ job }) => job === 'failing');
  await expect.poll(() => completed > 0 && failures().length > 0, { timeout: 15_000 }).toBe(true);
  expect(failures()[0]).toMatchObject({
    level: 50,
    reason: 'it rains',
    msg: 'scheduled job failed, will be retried',
  });
});
