import { Migration } from '@mikro-orm/migrations';

export class Migration0027Tournaments extends Migration {
  override up(): void {
    this.addSql(
      `create table "team_invitation" ("id" text not null, "team_id" text null, "event_id" text null, "inviter_id" text null, "user_id" text null, "email" text null, "status" text not null, "answered_at" timestamptz null, "created_at" timestamptz not null default clock_timestamp(), "updated_at" timestamptz not null default clock_timestamp(), "created_by" text null, "updated_by" text null, primary key ("id"))`,
    );
    this.addSql(`create index team_invitation_team_id_idx on team_invitation (team_id, id)`);
    this.addSql(`create index team_invitation_inviter_id_idx on team_invitation (inviter_id, id)`);
    this.addSql(`create index team_invitation_user_id_idx on team_invitation (user_id, id)`);
    this.addSql(`create index team_invitation_email_idx on team_invitation (email, id)`);
    this.addSql(`create index team_invitation_created_at_idx on team_invitation (created_at desc nulls last, id)`);
  }
}
