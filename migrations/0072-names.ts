import { Migration } from '@mikro-orm/migrations';

const columns: readonly (readonly [table: string, from: string, to: string])[] = [
  ['country', 'region_id', 'continent_number'],
  ['discount_code', 'type_number', 'type'],
  ['event_registration', 'format_number', 'format_id'],
  ['event_registration', 'player_group_number', 'player_group_id'],
  ['format', 'short_hand', 'abbreviation'],
  ['game', 'time_zone_offset', 'utc_offset'],
  ['governing_body', 'filter_search_param', 'legacy_search_parameter'],
  ['invoice', 'fee_plan_number', 'fee_plan'],
  ['league', 'signup_and_payment_type', 'signup'],
  ['payment', 'method_number', 'method'],
  ['ranking_points', 'last_match_round_text', 'last_match_round_title'],
  ['time_zone', 'has_dst', 'has_daylight_saving'],
  ['tournament', 'format_code', 'format'],
  ['tournament', 'hides_players_mode', 'player_list_visibility'],
  ['tournament', 'score_card_hides_next_up1', 'score_card_hides_next_match'],
  ['tournament', 'score_card_hides_next_up2', 'score_card_hides_match_after_next'],
  ['tournament', 'time_zone_number', 'time_zone_number_raw'],
];

/** Gives columns the names of their fields. Texts that the service always sets are not null. */
export class Migration0072Names extends Migration {
  override up(): void {
    for (const [table, from, to] of columns) this.addSql(`alter table "${table}" rename column "${from}" to "${to}"`);
    for (const table of ['notification', 'approval_comment']) {
      this.addSql(`update "${table}" set "content" = '' where "content" is null`);
      this.addSql(`alter table "${table}" alter column "content" set not null`);
    }
    this.addSql('drop trigger audited on payment');
    this.addSql(
      `create trigger audited after insert or update or delete on payment for each row execute function audit_write('Payment', 'invoiceId', 'registrationId', 'amount', 'method', 'paidAt', 'isRefund', 'isReversed')`,
    );
  }
}
