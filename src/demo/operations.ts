import { deadLetterQueue } from '../messaging/queue-names.js';
import { AuditEntry } from '../modules/accounts/audit/audit-entry.js';
import type { DemoContext } from './context.js';
import type { RecordDraft } from './insert-sql.js';
import { type FailedJobDraft, hasQueue, insertFailedJobs } from './operations-sql.js';

const rejection = 'Message failed: 550 5.1.1 The mailbox does not exist';

/** Inserts messages that could not be sent, and a failed daily job. */
export async function insertFailedMessages({ day, players, sql }: DemoContext): Promise<void> {
  if (!(await hasQueue(sql))) return;
  const mails = players.slice(10, 13).map(({ firstName }, index): FailedJobDraft => {
    const to = `${firstName.toLowerCase()}@club-${index + 1}.example`;
    return {
      queue: deadLetterQueue,
      source: 'mail',
      data: {
        kind: 'mail',
        to,
        subject: 'Your tournament starts soon',
        text: `Hello ${firstName},\n\nyour tournament starts soon. We look forward to seeing you.\n`,
      },
      attempts: 1,
      reason: rejection,
      failedAt: day(-index - 1, 11),
    };
  });
  await insertFailedJobs(sql, [
    ...mails,
    {
      queue: deadLetterQueue,
      source: 'text',
      data: { kind: 'text', to: '+15125550100', body: 'Your match on court 4 starts in 30 minutes.' },
      attempts: 31,
      reason: 'The gateway responded with 503',
      failedAt: day(-2, 18),
    },
    {
      queue: 'chore-forget-usage',
      source: null,
      data: null,
      attempts: 4,
      reason: 'canceling statement due to lock timeout',
      failedAt: day(-1, 9.5),
    },
  ]);
}

/** Inserts audit entries of requests by the admin, the user and the platform in the last two weeks. */
export async function insertAuditEntries({ admin, day, faker, insert, platform, players, user }: DemoContext): Promise<void> {
  const entryOf = (draft: RecordDraft<AuditEntry>, days: number): RecordDraft<AuditEntry> => ({
    id: faker.string.uuid(),
    source: 'REQUEST',
    address: '203.0.113.7',
    createdAt: day(-days, faker.number.float({ min: 8, max: 20, fractionDigits: 2 })),
    ...draft,
  });
  const byAdmin = { userId: admin.id, platformId: platform.id, keyId: 'demo-key' };
  const byUser = { userId: user.id, platformId: platform.id, keyId: 'demo-key', address: '198.51.100.23' };
  await insert(AuditEntry, [
    ...players.slice(20, 32).map(({ id }, index) =>
      entryOf(
        {
          ...byAdmin,
          recordType: 'User',
          recordKey: id,
          action: 'CHANGED',
          columns: ['role_ids'],
          changes: [{ field: 'roleIds', before: [], after: [['3', '5', '7'][index % 3] ?? '3'] }],
        },
        index + 1,
      ),
    ),
    ...Array.from({ length: 14 }, (_, index) =>
      entryOf(
        {
          ...(index % 2 === 0 ? byAdmin : byUser),
          recordType: 'UserToken',
          recordKey: index % 2 === 0 ? 'demo-admin-token' : 'demo-user-token',
          action: 'CREATED',
        },
        index + 1,
      ),
    ),
    entryOf({ ...byUser, recordType: 'User', recordKey: user.id, action: 'LOCKED' }, 3),
    entryOf({ ...byAdmin, recordType: 'User', recordKey: user.id, action: 'EXPORTED' }, 2),
    entryOf({ ...byAdmin, recordType: 'Platform', recordKey: platform.id, action: 'CHANGED', columns: ['token_hash'] }, 9),
  ]);
}
