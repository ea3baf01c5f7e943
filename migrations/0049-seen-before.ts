import { Migration } from '@mikro-orm/migrations';

/** Tables of rows that not everybody sees, with the columns that say who does beside those by which their changes are found. */
const logged: readonly (readonly [table: string, record: string, ...refs: string[]])[] = [
  ['calendar_link', 'CalendarLink', 'user_id'],
  ['team_invitation', 'TeamInvitation', 'inviter_id', 'user_id'],
  ['sponsor', 'Sponsor', 'user_id', 'created_by_id', 'approval_state'],
  ['sponsor_image', 'SponsorImage', 'sponsor_id', 'approval_state'],
  ['sponsorship', 'Sponsorship', 'sponsor_id'],
  ['user_image', 'UserImage', 'user_id', 'approval_state'],
  ['biography', 'Biography', 'user_id', 'approval_state'],
  ['approval_comment', 'ApprovalComment', 'item_id', 'author_id'],
  ['invoice', 'Invoice', 'user_id'],
  ['invoice_item', 'InvoiceItem', 'invoice_id'],
  ['payment', 'Payment', 'invoice_id'],
  ['favorite', 'Favorite', 'user_id'],
  ['game', 'Game', 'is_invite_only', 'owner_id'],
  ['webhook', 'Webhook', 'platform_id'],
];

/** Of a row that is gone or hidden since it is known by what stands with its changes who saw it, and hears of that. */
export class Migration0049SeenBefore extends Migration {
  override up(): void {
    for (const [table, record, ...refs] of logged)
      this.addSql(`select log_changes('${table}', '${record}', array[${refs.map((ref) => `'${ref}'`).join(', ')}])`);
  }
}
