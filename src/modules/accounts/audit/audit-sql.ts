import type { Services } from '../../../kernel/declare/context.js';
import { sqlForReading, sqlForWriting } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import type { AuditAction } from './audit-entry.js';

/** Adds an audit entry for an action that does not write a row of the record. If a transaction is open, the entry is part of it. */
export const addAuditEntry = (sql: Session, action: AuditAction, recordType: string, recordId: string): Promise<unknown> =>
  sql.transaction(async () => {
    await sql.sendActor();
    await sql.rows(sqlForReading([], `select audit($1, $2, $3, '{}', '[]')`, { otherDependency: 'audit' }), [
      recordType,
      recordId,
      action,
    ]);
  });

/** Deletes audit entries older than `AUDIT_DAYS`. */
export const deleteOldAuditEntries = (sql: Session, { settings }: Services): Promise<unknown> =>
  sql.transaction(async () => {
    await sql.rows(
      sqlForReading([], `select set_config('courtside.audit_until', (now() - make_interval(days => $1))::text, true)`, {
        otherDependency: 'set_config',
      }),
      [settings.auditDays],
    );
    await sql.rows(
      sqlForWriting(
        ['audit_entry'],
        `delete from audit_entry where created_at < current_setting('courtside.audit_until')::timestamptz`,
      ),
    );
  });
