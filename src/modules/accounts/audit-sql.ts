import type { Services } from '../../kernel/declare/context.js';
import { readSql, writeSql } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';
import type { AuditAction } from './audit-entry.js';

/** Notes in the audit what is no write of a row; in the open transaction, or in one of its own. */
export const note = (sql: Session, action: AuditAction, recordType: string, recordId: string): Promise<unknown> =>
  sql.transaction(async () => {
    await sql.tell();
    await sql.rows(readSql([], `select audit($1, $2, $3, '{}', '[]')`, { isVolatile: true }), [recordType, recordId, action]);
  });

/** Deletes the entries that are older than the days of the configuration. */
export const forgetAudit = (sql: Session, { settings }: Services): Promise<unknown> =>
  sql.transaction(async () => {
    await sql.rows(
      readSql([], `select set_config('courtside.audit_until', (now() - make_interval(days => $1))::text, true)`, {
        isVolatile: true,
      }),
      [settings.auditDays],
    );
    await sql.rows(
      writeSql(
        ['audit_entry'],
        `delete from audit_entry where created_at < current_setting('courtside.audit_until')::timestamptz`,
      ),
    );
  });
