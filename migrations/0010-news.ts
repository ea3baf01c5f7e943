import { Migration } from '@mikro-orm/migrations';

export class Migration0010News extends Migration {
  override up(): void {
    this.addSql(
      `create table "category" ("id" text not null, "title" text null, "is_instructional_video" boolean not null default false, "is_news" boolean not null default false, "is_active" boolean not null default false, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index category_inserted_at_idx on category (inserted_at desc nulls last, id)`);
    this.addSql(
      `create table "news_item" ("id" text not null, "slug" text null, "title" text null, "homepage_headline" text null, "description" text null, "content" text null, "image_url" text null, "image_thumbnail_url" text null, "image_small_card_url" text null, "image_alt_text" text null, "links_facebook" text null, "links_twitter" text null, "links_sms" text null, "links_details" text null, "links_external" text null, "links_video" text null, "meta_title" text null, "meta_description" text null, "author_name" text null, "author_id" text null, "outlet_id" text null, "category_ids" text[] not null default '{}', "site_schedule_from" timestamptz null, "site_schedule_until" timestamptz null, "homepage_schedule_from" timestamptz null, "homepage_schedule_until" timestamptz null, "featured_schedule_from" timestamptz null, "featured_schedule_until" timestamptz null, "published_at" timestamptz null, "archived_at" timestamptz null, "platform_status" text null, "created_at" timestamptz not null default clock_timestamp(), "updated_at" timestamptz null, "created_by" text null, "updated_by" text null, "archived_by" text null, primary key ("id"))`,
    );
    this.addSql(`alter table "news_item" add constraint "news_item_slug_unique" unique ("slug")`);
    this.addSql(`create index news_item_author_id_idx on news_item (author_id, id)`);
    this.addSql(`create index news_item_outlet_id_idx on news_item (outlet_id, id)`);
    this.addSql(`create index news_item_category_ids_idx on news_item using gin (category_ids)`);
    this.addSql(`create index news_item_published_at_idx on news_item (published_at desc nulls last, id)`);
    this.addSql(`create index news_item_created_at_idx on news_item (created_at desc nulls last, id)`);
    this.addSql(`create index news_item_title_part_idx on news_item using gin (title gin_trgm_ops)`);
    this.addSql(
      `create table "news_outlet" ("id" text not null, "title" text null, "logo" text null, "is_active" boolean not null default false, "archived_at" timestamptz null, "inserted_at" timestamptz not null default clock_timestamp(), primary key ("id"))`,
    );
    this.addSql(`create index news_outlet_inserted_at_idx on news_outlet (inserted_at desc nulls last, id)`);
    // Editable from here on, which is why they are no reference data.
    this.addSql(
      `insert into category (id, title, is_instructional_video, is_news, is_active) values
        ('1', 'Tournaments', false, true, true),
        ('2', 'Players', false, true, true),
        ('3', 'Rankings', false, true, true),
        ('4', 'Leagues', false, true, true),
        ('5', 'Clubs', false, true, true),
        ('6', 'Equipment', true, true, true),
        ('7', 'Rules and Refereeing', true, true, true),
        ('8', 'Health and Fitness', true, true, true),
        ('9', 'Serve and Return', true, false, true),
        ('10', 'Third Shot', true, false, true),
        ('11', 'Dinking', true, false, true),
        ('12', 'Volleys and Resets', true, false, true),
        ('13', 'Doubles Strategy', true, false, true),
        ('14', 'Singles Strategy', true, false, true),
        ('15', 'Announcements', false, true, false)`,
    );
    this.addSql(`create sequence category_number start 16`);
  }
}
