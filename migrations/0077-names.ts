import { Migration } from '@mikro-orm/migrations';

const contactColumns = (table: string): [table: string, from: string, to: string][] =>
  ['registration', 'website_account', 'refunds', 'other'].map((text) => [table, `${text}_text`, `contact_${text}`]);

const columns: readonly (readonly [table: string, from: string, to: string])[] = [
  ...contactColumns('club'),
  ...contactColumns('league_listing'),
  ['game', 'age_ignored', 'age_is_ignored'],
  ['ranking_points', 'event_date', 'played_at'],
  ['ranking_points', 'points_type', 'type'],
  ['tournament', 'score_card_desk_minutes_to_next_up', 'score_card_minutes_to_next_match'],
];

/** Gives columns the names of their fields. */
export class Migration0077Names extends Migration {
  override up(): void {
    for (const [table, from, to] of columns) this.addSql(`alter table "${table}" rename column "${from}" to "${to}"`);
    this.addSql('alter index ranking_points_event_date_idx rename to ranking_points_played_at_idx');
  }
}
