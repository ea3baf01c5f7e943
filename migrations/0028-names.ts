import { Migration } from '@mikro-orm/migrations';

/** Columns have the names of their fields: one word for one thing. */
export class Migration0028Names extends Migration {
  override up(): void {
    this.addSql(`alter table "tournament" rename column "is_cancelled" to "is_canceled"`);
    this.addSql(`alter table "tournament_event" rename column "is_cancelled" to "is_canceled"`);
    this.addSql(`alter table "category" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "equipment_type" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "governing_body" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "news_outlet" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "platform" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "ranking_division" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "watch_channel" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "watch_event_type" rename column "is_active" to "is_enabled"`);
    this.addSql(`alter table "merchant_link" rename column "provider_one_is_active" to "provider_one_is_enabled"`);
    this.addSql(`alter table "merchant_link" rename column "provider_two_is_active" to "provider_two_is_enabled"`);
    this.addSql(`alter table "payment_setup" rename column "redirect_is_active" to "redirect_is_enabled"`);
    this.addSql(`alter table "payment_setup" rename column "custom_is_active" to "custom_is_enabled"`);
    this.addSql(`alter table "payment_setup" rename column "pay_later_is_active" to "pay_later_is_enabled"`);
    this.addSql(`alter table "platform" rename column "name" to "title"`);
    this.addSql(`alter table "tier_level" rename column "name" to "title"`);
    this.addSql(`alter table "time_zone" rename column "name" to "title"`);
    this.addSql(`alter table "governing_body" rename column "name" to "title"`);
    this.addSql(`alter table "game_group" rename column "name" to "title"`);
    this.addSql(`alter table "contact_reason" rename column "name" to "title"`);
    this.addSql(`alter table "referee_term" rename column "name" to "title"`);
    this.addSql(`alter table "platform" rename constraint "platform_name_unique" to "platform_title_unique"`);
    this.addSql(`alter table "app_user" rename column "profile_image" to "image_url"`);
    this.addSql(`alter table "game_group" rename column "picture" to "image_url"`);
    this.addSql(`alter table "league" rename column "logo" to "logo_url"`);
    this.addSql(`alter table "league" rename column "club_logo" to "club_logo_url"`);
    this.addSql(`alter table "news_outlet" rename column "logo" to "logo_url"`);
    this.addSql(`alter table "tournament" rename column "logo" to "logo_url"`);
    this.addSql(`alter table "tournament" rename column "scroller_logo" to "scroller_logo_url"`);
    this.addSql(`alter table "tournament" rename column "title_sponsor_logo" to "title_sponsor_logo_url"`);
    this.addSql(`alter table "system_text_number" rename column "text_platform" to "provider"`);
    this.addSql(`alter table "ranking_points" rename column "tier" to "tier_level"`);
    this.addSql(
      `update tournament set sanctions = (
         select jsonb_agg(case when jsonb_exists(s, 'levelLogo') then s - 'levelLogo' || jsonb_build_object('levelLogoUrl', s->'levelLogo') else s end order by n)
         from jsonb_array_elements(sanctions) with ordinality as each(s, n))
       where jsonb_path_exists(sanctions, '$[*].levelLogo')`,
    );
  }
}
