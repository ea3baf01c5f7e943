import { Migration } from '@mikro-orm/migrations';

/** Fields whose values stand in the audit. */
const audited = ['route', 'platformId', 'deprecatedAt', 'sunsetAt', 'text', 'link', 'rehearsalBeginsAt', 'rehearsalMinutes'];

/** Which routes of the legacy interface are to go. Processes keep it in memory, and learn of changes by the version of what is kept. */
export class Migration0043Deprecations extends Migration {
  override up(): void {
    this.addSql(
      `create table "deprecation" ("id" text not null, "route" text not null, "platform_id" text null, "deprecated_at" timestamptz not null, "sunset_at" timestamptz null, "text" text not null, "link" text null, "rehearsal_begins_at" timestamptz null, "rehearsal_minutes" int not null default 60, "created_at" timestamptz not null default clock_timestamp(), "updated_at" timestamptz not null default clock_timestamp(), "created_by" text null, "updated_by" text null, "created_by_id" text null, "updated_by_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index deprecation_platform_id_idx on deprecation (platform_id, id)`);
    this.addSql(`create index deprecation_created_at_idx on deprecation (created_at desc nulls last, id)`);
    const fields = audited.map((field) => `'${field}'`).join(', ');
    this.addSql(
      `create trigger audited after insert or update or delete on deprecation for each row execute function audit_write('Deprecation', ${fields})`,
    );
    this.addSql(
      `create trigger kept_changed after insert or update or delete or truncate on deprecation
       for each statement execute function kept_changed()`,
    );
  }
}
