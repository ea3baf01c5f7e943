import { Migration } from '@mikro-orm/migrations';

export class Migration0011Media extends Migration {
  override up(): void {
    this.addSql(
      `create table "approval" ("id" text not null, "item_type" text not null, "item_id" text not null, "approved_at" timestamptz not null default clock_timestamp(), "approved_by_id" text null, "approved_by_platform_id" text null, "canceled_at" timestamptz null, "canceled_by_id" text null, "canceled_by_platform_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index approval_item_id_idx on approval (item_id, id)`);
    this.addSql(`create index approval_approved_at_idx on approval (approved_at desc nulls last, id)`);
    this.addSql(`create index approval_approved_by_id_idx on approval (approved_by_id, id)`);
    this.addSql(
      `create table "approval_comment" ("id" text not null, "item_id" text not null, "content" text null, "created_at" timestamptz not null default clock_timestamp(), "modified_at" timestamptz null, "author_id" text null, "platform_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index approval_comment_item_id_idx on approval_comment (item_id, id)`);
    this.addSql(`create index approval_comment_created_at_idx on approval_comment (created_at desc nulls last, id)`);
    this.addSql(`create index approval_comment_author_id_idx on approval_comment (author_id, id)`);
    this.addSql(
      `create table "biography" ("id" text not null, "user_id" text null, "text" text null, "created_at" timestamptz not null default clock_timestamp(), "approval_state" text not null default 'PENDING', "approval_required" int not null default 1, "approval_given" int not null default 0, "approval_declined_at" timestamptz null, "approval_decline_reason" text null, primary key ("id"))`,
    );
    this.addSql(`create index biography_user_id_idx on biography (user_id, id)`);
    this.addSql(`create index biography_created_at_idx on biography (created_at desc nulls last, id)`);
    this.addSql(
      `create index biography_pending_idx on biography (created_at desc nulls last, id) where approval_state = 'PENDING'`,
    );
    this.addSql(
      `create table "sponsor" ("id" text not null, "user_id" text null, "title" text null, "url" text null, "description" text null, "display_order" double precision null, "created_at" timestamptz not null default clock_timestamp(), "started_at" timestamptz null, "disabled_at" timestamptz null, "is_primary" boolean not null default false, "approval_state" text not null default 'PENDING', "approval_required" int not null default 1, "approval_given" int not null default 0, "approval_declined_at" timestamptz null, "approval_decline_reason" text null, "created_by_id" text null, primary key ("id"))`,
    );
    this.addSql(`create index sponsor_user_id_idx on sponsor (user_id, id)`);
    this.addSql(`create index sponsor_created_at_idx on sponsor (created_at desc nulls last, id)`);
    this.addSql(`create index sponsor_pending_idx on sponsor (created_at desc nulls last, id) where approval_state = 'PENDING'`);
    this.addSql(`create index sponsor_title_part_idx on sponsor using gin (title gin_trgm_ops)`);
    this.addSql(
      `create table "sponsor_image" ("id" text not null, "sponsor_id" text null, "url" text null, "display_order" double precision null, "disabled_at" timestamptz null, "is_primary" boolean not null default false, "size" text null, "color" text null, "created_at" timestamptz not null default clock_timestamp(), "approval_state" text not null default 'PENDING', "approval_required" int not null default 1, "approval_given" int not null default 0, "approval_declined_at" timestamptz null, "approval_decline_reason" text null, primary key ("id"))`,
    );
    this.addSql(`create index sponsor_image_sponsor_id_idx on sponsor_image (sponsor_id, id)`);
    this.addSql(`create index sponsor_image_created_at_idx on sponsor_image (created_at desc nulls last, id)`);
    this.addSql(
      `create index sponsor_image_pending_idx on sponsor_image (created_at desc nulls last, id) where approval_state = 'PENDING'`,
    );
    this.addSql(
      `create table "user_image" ("id" text not null, "user_id" text null, "type" text not null, "url" text null, "created_at" timestamptz not null default clock_timestamp(), "approval_state" text not null default 'PENDING', "approval_required" int not null default 1, "approval_given" int not null default 0, "approval_declined_at" timestamptz null, "approval_decline_reason" text null, primary key ("id"))`,
    );
    this.addSql(`create index user_image_user_id_idx on user_image (user_id, id)`);
    this.addSql(`create index user_image_created_at_idx on user_image (created_at desc nulls last, id)`);
    this.addSql(
      `create index user_image_pending_idx on user_image (created_at desc nulls last, id) where approval_state = 'PENDING'`,
    );
  }
}
