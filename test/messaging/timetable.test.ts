import { expect, test } from 'vitest';
import { createMessaging } from '../../src/messaging/index.js';
import { closing, database, log, logged, openMessaging, quick } from './setting.js';

openMessaging();

const unsent = { smtpUrl: null, mailFrom: 'Courtside <no-reply@courtside.test>', sms: null, catchUnsent: false, ...quick };

test('a chore that fails is told to operators, and keeps no other from being done', async () => {
  let done = 0;
  const chores = [
    { name: 'failing', run: () => Promise.reject(new Error('it rains')) },
    { name: 'working', run: async () => done++ },
  ];
  const timetable = { cron: '* * * * *', lookSeconds: 1, chores };
  const service = await createMessaging({ config: unsent, databaseUrl: database.url, log, timetable });
  await service.start();
  closing(service, service.stop);
  const failures = () => logged.map((line) => JSON.parse(line)).filter(({ chore }) => chore === 'failing');
  await expect.poll(() => done > 0 && failures().length > 0, { timeout: 15_000 }).toBe(true);
  expect(failures()[0]).toMatchObject({
    level: 50,
    reason: 'it rains',
    msg: 'work of the timetable failed, will be tried again',
  });
});
