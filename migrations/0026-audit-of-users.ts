import { SteppedMigration } from '../src/database/migration-steps.js';

/** Records that have audit entries for all writes. */
const auditedRecords = [
  'Approval',
  'Biography',
  'Deprecation',
  'DiscountCode',
  'Invoice',
  'InvoiceItem',
  'MerchantLink',
  'Payment',
  'PaymentSetup',
  'Platform',
  'PublishableKey',
  'Role',
  'Sponsor',
  'SponsorImage',
  'Sponsorship',
  'User',
  'UserImage',
  'UserToken',
  'Webhook',
];

/** Records that users change often, and only for themselves. */
const personalRecords = ['Favorite', 'MutedNotification', 'Notification', 'Reaction'];

const withoutEntries = [...auditedRecords, ...personalRecords].map((record) => `'${record}'`).join(', ');

/**
 * Adds an audit entry whenever a user changes a record that is not already audited. The entry does not contain the changed values. Changes by
 * platforms get no entries, because platforms write such records too often.
 */
export class Migration0026AuditOfUsers extends SteppedMigration {
  static readonly oldestRelease = '0.1.0';

  readonly steps = [
    {
      statements: [
        `create function audit_change_by_user() returns trigger language plpgsql as $$
        begin
          perform public.audit(new.record, new.id,
            case new.kind when '+' then 'CREATED' when '~' then 'CHANGED' else 'DELETED' end, new.columns, '[]');
          return null;
        end
        $$`,
        `create trigger audit_change_by_user after insert on change for each row
         when (new.actor->>'userId' is not null and new.record not in (${withoutEntries}))
         execute function audit_change_by_user()`,
      ],
    },
  ];
}
