import { Migration } from '@mikro-orm/migrations';

export class Migration0030Records extends Migration {
  override up(): void {
    this.addSql(`alter table "app_user" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "sponsor" add "updated_by_id" text null`);
    this.addSql(`alter table "sponsorship" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "sponsor_image" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "platform" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "publishable_key" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "news_outlet" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(
      `alter table "news_item" add "archived_by_id" text null, add "created_by_id" text null, add "updated_by_id" text null`,
    );
    this.addSql(`alter table "league_listing" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "game_group" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "game" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "club" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "tournament" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "tournament_referee" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "tournament_event" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "sanction_setup" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "registration" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "event_registration" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "team" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "team_invitation" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "prematch" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "pregame" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "final_standing" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "ranking_points" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "merchant_link" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(
      `alter table "discount_code" add "disabled_by_id" text null, add "created_by_id" text null, add "updated_by_id" text null`,
    );
    this.addSql(`alter table "payment_setup" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(
      `alter table "league" add "disabled_by_id" text null, add "created_by_id" text null, add "updated_by_id" text null`,
    );
    this.addSql(`alter table "invoice" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "provider_request" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "provider_response" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "payment" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "invoice_item" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "category" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "biography" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "approval_comment" add "created_by_id" text null, add "updated_by_id" text null`);
    this.addSql(`alter table "user_image" add "created_by_id" text null, add "updated_by_id" text null`);
  }
}
