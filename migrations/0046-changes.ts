import { Migration } from '@mikro-orm/migrations';

/** Tables whose writes are logged: what their records are called, and the columns by whose values one finds who waits for a change. */
const logged: readonly (readonly [table: string, record: string, ...refs: string[]])[] = [
  ['amenity_type', 'AmenityType'],
  ['bracket_level', 'BracketLevel'],
  ['contact_reason', 'ContactReason'],
  ['country', 'Country'],
  ['currency', 'Currency'],
  ['equipment_type', 'EquipmentType'],
  ['format', 'Format'],
  ['governing_body', 'GoverningBody'],
  ['module_type', 'ModuleType'],
  ['player_group', 'PlayerGroup'],
  ['pro_level', 'ProLevel'],
  ['push_notification_type', 'PushNotificationType'],
  ['ranking_division', 'RankingDivision'],
  ['rating_level', 'RatingLevel'],
  ['referee_term', 'RefereeTerm'],
  ['role', 'Role'],
  ['state', 'State'],
  ['system_text_number', 'SystemTextNumber'],
  ['tier_level', 'TierLevel'],
  ['time_zone', 'TimeZone'],
  ['watch_channel', 'WatchChannel'],
  ['watch_event_type', 'WatchEventType'],
  ['app_user', 'User'],
  ['platform', 'Platform'],
  ['publishable_key', 'PublishableKey', 'platform_id'],
  ['user_token', 'UserToken', 'user_id'],
  ['calendar_link', 'CalendarLink'],
  ['tournament', 'Tournament'],
  ['tournament_event', 'TournamentEvent', 'tournament_id'],
  ['team', 'Team', 'tournament_id', 'event_id'],
  ['tournament_referee', 'TournamentReferee', 'tournament_id'],
  ['registration', 'Registration', 'tournament_id'],
  ['event_registration', 'EventRegistration', 'event_id'],
  ['team_invitation', 'TeamInvitation'],
  ['final_standing', 'FinalStanding', 'event_id', 'team_id'],
  ['ranking_points', 'RankingPoints'],
  ['club', 'Club'],
  ['league', 'League'],
  ['league_listing', 'LeagueListing'],
  ['news_item', 'NewsItem'],
  ['news_outlet', 'NewsOutlet'],
  ['category', 'Category'],
  ['sponsor', 'Sponsor', 'user_id'],
  ['sponsor_image', 'SponsorImage', 'sponsor_id'],
  ['sponsorship', 'Sponsorship'],
  ['user_image', 'UserImage', 'user_id'],
  ['biography', 'Biography', 'user_id'],
  ['approval', 'Approval', 'item_id'],
  ['approval_comment', 'ApprovalComment'],
  ['discount_code', 'DiscountCode'],
  ['invoice', 'Invoice'],
  ['invoice_item', 'InvoiceItem'],
  ['payment', 'Payment'],
  ['payment_setup', 'PaymentSetup'],
  ['merchant_link', 'MerchantLink'],
  ['provider_request', 'ProviderRequest'],
  ['provider_response', 'ProviderResponse'],
  ['sanction_setup', 'SanctionSetup'],
  ['prematch', 'Prematch', 'match_id', 'coin_toss_team_id'],
  ['pregame', 'Pregame', 'match_id', 'serving_team_id', 'receiving_team_id', 'left_team_id', 'right_team_id'],
  ['reaction', 'Reaction'],
  ['favorite', 'Favorite'],
  ['notification', 'Notification', 'user_id'],
  ['muted_notification', 'MutedNotification'],
  ['game', 'Game'],
  ['game_group', 'GameGroup'],
  ['deprecation', 'Deprecation'],
];

/** What was written, in the order in which it was: triggers append it in the transaction of the write, in whichever way that is made. */
export class Migration0046Changes extends Migration {
  override up(): void {
    this.addSql(`create sequence change_position`);
    this.addSql(
      `create table change ("position" bigint not null default nextval('change_position'), "at" timestamptz not null default clock_timestamp(), "record" text not null, "id" text not null, "kind" "char" not null, "columns" text[] not null, "refs" text[] not null, "actor" jsonb null, primary key ("position"))`,
    );
    this.addSql(`alter sequence change_position owned by change.position`);
    // What was forgotten, and which log it is: one that is begun anew tells nobody what came before.
    this.addSql(
      `create table change_log ("one" boolean not null default true check (one), "id" text not null, "forgotten" bigint not null, primary key ("one"))`,
    );
    this.addSql(`insert into change_log (id, forgotten) values (gen_random_uuid()::text, 0)`);
    this.logChanges();
    for (const [table, record, ...refs] of logged)
      this.addSql(`select log_changes('${table}', '${record}', array[${refs.map((ref) => `'${ref}'`).join(', ')}]::text[])`);
  }

  /**
   * Makes the triggers of a table; who adds a column by which changes are found calls it again. What is written as it was before is no
   * change: platforms send what they have again and again. That is looked for first, because it costs nothing; to compare the columns as
   * texts takes a tenth of the time of comparing them one by one, whose expression is made anew in each transaction.
   */
  private logChanges(): void {
    this.addSql(`create extension if not exists hstore`);
    this.addSql(`create function log_changes(of text, record text, refs text[]) returns void language plpgsql as $outer$
      declare
        has_time boolean := exists (select from pg_attribute where attrelid = of::regclass and attname = 'updated_at' and not attisdropped);
        actor text := $$nullif(current_setting('courtside.actor', true), '')::jsonb - 'address'$$;
        found text;
      begin
        select string_agg(format('%1$L || new.%2$I, case when old.%2$I is distinct from new.%2$I then %1$L || old.%2$I end', ref || '=', ref), ', ')
        into found from unnest(refs) ref;
        found := coalesce('array_remove(array[' || found || '], null)', $$'{}'$$);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            %s
            if new *= old then return null; end if;
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, new.id, '~', public.akeys(public.delete(public.hstore(new), public.hstore(old))), %s, %s);
            return null;
          end
        $$ $format$, 'log_change_of_' || of, case when has_time then 'new.updated_at := old.updated_at;' end, record, found, actor);
        execute format($format$
          create or replace function %I() returns trigger language plpgsql as $$
          begin
            insert into public.change (record, id, kind, columns, refs, actor) values (
              %L, coalesce(new.id, old.id), case tg_op when 'INSERT' then '+' else '-' end, '{}', %s, %s);
            return null;
          end
        $$ $format$, 'log_' || of, record, found, actor);
        execute format('drop trigger if exists logged on %1$I; drop trigger if exists logged_change on %1$I', of);
        execute format('create trigger logged after insert or delete on %I for each row execute function %I()', of, 'log_' || of);
        execute format('create trigger logged_change after update on %I for each row execute function %I()', of, 'log_change_of_' || of);
      end
    $outer$`);
  }
}
