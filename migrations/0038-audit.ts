import { Migration } from '@mikro-orm/migrations';

/** The audited tables: what their records are called, and the fields whose values stand in the audit. */
const audited: readonly (readonly [table: string, record: string, ...fields: string[]])[] = [
  ['app_user', 'User', 'roleIds', 'isSuperAdmin', 'verifiedAt', 'platformId'],
  ['platform', 'Platform', 'isEnabled', 'allowedOrigins'],
  ['publishable_key', 'PublishableKey', 'platformId', 'allowedOrigins', 'revokedAt'],
  ['user_token', 'UserToken', 'userId', 'expiresAt', 'revokedAt'],
  ['role', 'Role', 'title', 'inheritedIds'],
  [
    'approval',
    'Approval',
    'itemType',
    'itemId',
    'approvedById',
    'approvedByPlatformId',
    'canceledAt',
    'canceledById',
    'canceledByPlatformId',
  ],
  ['sponsor', 'Sponsor', 'userId', 'disabledAt', 'approval.state', 'approval.declinedAt'],
  ['sponsor_image', 'SponsorImage', 'sponsorId', 'disabledAt', 'approval.state', 'approval.declinedAt'],
  ['user_image', 'UserImage', 'userId', 'type', 'approval.state', 'approval.declinedAt'],
  ['biography', 'Biography', 'userId', 'approval.state', 'approval.declinedAt'],
  ['sponsorship', 'Sponsorship', 'sponsorId', 'userId'],
  ['invoice', 'Invoice', 'userId', 'moduleId', 'clubId', 'registrationId'],
  [
    'invoice_item',
    'InvoiceItem',
    'invoiceId',
    'discountCodeId',
    'unitPrice',
    'units',
    'currency',
    'exchangeRate',
    'refundRequestedAt',
  ],
  ['payment', 'Payment', 'invoiceId', 'registrationId', 'amount', 'methodNumber', 'paidAt', 'isRefund', 'isReversed'],
  ['discount_code', 'DiscountCode', 'moduleId', 'coversEverything', 'discount', 'issued', 'startsAt', 'expiresAt', 'disabledAt'],
  ['merchant_link', 'MerchantLink', 'moduleId', 'providerOne.isEnabled', 'providerTwo.isEnabled'],
  ['payment_setup', 'PaymentSetup', 'moduleId', 'clubId', 'acceptsProviderOne', 'acceptsProviderTwo', 'acceptsOnsite'],
];

/** Who changed what: triggers write it down in the transaction of the change, in whichever way that is made. */
export class Migration0038Audit extends Migration {
  override up(): void {
    this.addSql(
      `create table "audit_entry" ("id" text not null, "created_at" timestamptz not null default clock_timestamp(), "record_type" text not null, "record_key" text not null, "action" text not null, "columns" text[] not null default '{}', "changes" jsonb not null default '[]', "source" text not null, "user_id" text null, "platform_id" text null, "key_id" text null, "address" text null, primary key ("id"))`,
    );
    this.addSql(`create index audit_entry_created_at_idx on audit_entry (created_at desc nulls last, id)`);
    this.addSql(`create index audit_entry_record_key_idx on audit_entry (record_key, id)`);
    this.addSql(`create index audit_entry_user_id_idx on audit_entry (user_id, id)`);
    this.addSql(`create index audit_entry_platform_id_idx on audit_entry (platform_id, id)`);
    this.noteWrites();
    for (const [table, ...of] of audited) {
      const given = of.map((text) => `'${text}'`).join(', ');
      this.addSql(
        `create trigger audited after insert or update or delete on ${table} for each row execute function audit_write(${given})`,
      );
    }
    this.keepEntries();
  }

  /** The requests' sessions tell the transaction who acts (courtside.actor); what nobody told of is the service's own. */
  private noteWrites(): void {
    this.addSql(`create function audit(record_type text, record_key text, action text, columns text[], changes jsonb)
      returns void language plpgsql as $$
      declare
        actor jsonb := nullif(current_setting('courtside.actor', true), '')::jsonb;
      begin
        insert into public.audit_entry (id, record_type, record_key, action, columns, changes, source, user_id, platform_id, key_id, address)
        values (gen_random_uuid()::text, audit.record_type, audit.record_key, audit.action, audit.columns, audit.changes,
          coalesce(actor->>'source', 'SERVICE'), actor->>'userId', actor->>'platformId', actor->>'keyId', actor->>'address');
      end
    $$`);
    this.addSql(`create function audit_write() returns trigger language plpgsql as $$
      declare
        before jsonb := to_jsonb(old);
        after jsonb := to_jsonb(new);
        changed text[] := '{}';
        held jsonb := '[]';
        key text;
        col text;
      begin
        if tg_op = 'UPDATE' then
          select coalesce(array_agg(c.key order by c.key), '{}') into changed from jsonb_each(after) c
          where c.value is distinct from before->c.key
            and c.key not in ('updated_at', 'updated_by', 'updated_by_id', 'version');
        end if;
        foreach key in array tg_argv[1:] loop
          col := lower(regexp_replace(replace(key, '.', '_'), '([a-z0-9])([A-Z])', '\\1_\\2', 'g'));
          if nullif(before->col, 'null') is distinct from nullif(after->col, 'null') then
            -- Numbers as text: clients would lose digits of amounts.
            held := held || jsonb_build_object('field', key,
              'before', case jsonb_typeof(before->col) when 'number' then to_jsonb(before->>col) else before->col end,
              'after', case jsonb_typeof(after->col) when 'number' then to_jsonb(after->>col) else after->col end);
          end if;
        end loop;
        perform public.audit(tg_argv[0], coalesce(after, before)->>'id',
          case tg_op when 'INSERT' then 'CREATED' when 'UPDATE' then 'CHANGED' else 'DELETED' end, changed, held);
        return null;
      end
    $$`);
  }

  /** Entries stay as they are; what is older than the moment that the daily work names may go. */
  private keepEntries(): void {
    this.addSql(`create function audit_stays() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and old.created_at < nullif(current_setting('courtside.audit_until', true), '')::timestamptz then
          return old;
        end if;
        raise exception 'audit entries are neither changed nor deleted' using errcode = 'insufficient_privilege';
      end
    $$`);
    this.addSql(`create trigger audit_stays before update or delete on audit_entry for each row execute function audit_stays()`);
    this.addSql(
      `create trigger audit_stays_whole before truncate on audit_entry for each statement execute function audit_stays()`,
    );
  }
}
