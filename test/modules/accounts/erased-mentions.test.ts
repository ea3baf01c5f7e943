import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await startApp();
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

async function mutate(caller: object, text: string): Promise<void> {
  const answer = await app.graphql(`mutation { done: ${text} }`, {}, caller);
  expect(answer.errors, text).toBe(undefined);
}

describe('after a person with a short name is erased', () => {
  const notifications = {
    'part-of-words':
      'After the match you can leave early. Write to mariana@example.com or ana@example.com.au, or call 9(512) 555-01990.',
    mentions: "Ask An Le: ana@example.com. _AN LE_ answers at +1 512-555-0199, and An Le's office at 512.555.0199.",
  };
  const body = (text: string) => ({ kind: 'mail' as const, subject: 'League', text });
  const messages = [
    { ...body('You can leave early.'), to: 'kim@example.com' },
    { ...body('Write to ana@example.community.'), to: 'lee@example.com' },
    { ...body('Call 15125550199000.'), to: 'max@example.com' },
    { ...body('Hello,\nAn Le joined.'), to: 'name@example.com' },
    { ...body('Hello,\nana@example.com joined.'), to: 'address@example.com' },
    { ...body('Call +1 (512) 555-0199.'), to: 'phone@example.com' },
  ];
  const recipients = async () => {
    const rows = await app.sql.rows<{ to: string }>(
      `select data->>'to' as to from jobs.job where data->>'to' = any($1) order by 1`,
      [[...messages.map(({ to }) => to), 'mariana@example.com', 'ana@example.com']],
    );
    return rows.map(({ to }) => to);
  };
  let recipientsBefore: string[];

  beforeAll(async () => {
    const an = await app.person({ firstName: 'An', lastName: 'Le', email: 'ana@example.com', phone: '(512) 555-0199' });
    const kim = await app.person({ firstName: 'Kim', email: 'mariana@example.com' });
    for (const [id, content] of Object.entries(notifications))
      await app.sql.rows(`insert into notification (id, user_id, event, content) values ($1, $2, 'LEAGUE_MESSAGE', $3)`, [
        id,
        kim.id,
        content,
      ]);
    for (const email of ['ana@example.com', 'mariana@example.com'])
      await mutate(app.platform, `requestPasswordReset(email: "${email}") { channel }`);
    await app.resources.services.outbox.enqueueAll(messages, app.sql, 'service');
    recipientsBefore = await recipients();
    await mutate({ user: admin.user }, `eraseUser(id: "${an.id}") { user { id } }`);
  });

  test('messages about other people stay', async () => {
    expect({ before: recipientsBefore.length, after: await recipients() }).toEqual({
      before: 8,
      after: ['kim@example.com', 'lee@example.com', 'mariana@example.com', 'max@example.com'],
    });
  });

  test('notifications change only where they mention the person', async () => {
    const rows = await app.sql.rows<{ id: string; content: string }>(
      'select id, content from notification where id = any($1) order by id desc',
      [Object.keys(notifications)],
    );
    expect(Object.fromEntries(rows.map(({ id, content }) => [id, content]))).toEqual({
      ...notifications,
      mentions:
        "Ask Deleted user: Deleted user. _Deleted user_ answers at Deleted user, and Deleted user's office at Deleted user.",
    });
  });
});
