import { Migration } from '@mikro-orm/migrations';
import { logChanges, reportedByDefault, searchTexts, tracked } from './shared.js';

/** Creates the tables of news items, outlets and categories. */
export class Baseline0009News extends Migration {
  override up(): void {
    this.createNews();
    this.createCategories();
  }

  private createNews(): void {
    this.addSql(`
      create table news_outlet (
        id text primary key,
        title text,
        logo_url text,
        is_enabled boolean not null default false,
        archived_at timestamptz,
        ${tracked}
      );
      create index news_outlet_created_at_idx on news_outlet (created_at desc nulls last, id);
      ${logChanges('news_outlet', 'NewsOutlet')};
    `);
    this.addSql(`
      create table news_item (
        id text primary key,
        -- In NFC, derived from the title at creation.
        slug text not null default gen_random_uuid()::text constraint news_item_slug_unique unique,
        title text,
        homepage_headline text,
        description text, -- summary
        content text, -- HTML
        image_url text, image_thumbnail_url text, image_small_card_url text,
        image_alt_text text,
        links_facebook text, links_twitter text, links_sms text,
        links_details text, links_external text, links_video text,
        meta_title text, meta_description text,
        author_name text, -- for display
        author_id text,
        outlet_id text,
        category_ids text[] not null default '{}', -- most important first
        -- Periods in which the item is visible. The start is inclusive, the end is exclusive.
        site_schedule_from timestamptz, site_schedule_until timestamptz,
        homepage_schedule_from timestamptz, homepage_schedule_until timestamptz,
        featured_schedule_from timestamptz, featured_schedule_until timestamptz,
        published_at timestamptz, -- for display only
        archived_at timestamptz, -- hides the item from this time on, which may be in the future
        platform_status text, -- as sent by the platform, without effect
        ${reportedByDefault},
        archived_by text, -- name, as sent by the platform
        archived_by_id text,
        ${tracked}
      );
      create index news_item_author_id_idx on news_item (author_id, id);
      create index news_item_outlet_id_idx on news_item (outlet_id, id);
      create index news_item_category_ids_idx on news_item using gin (category_ids);
      create index news_item_published_at_idx on news_item (published_at desc nulls last, id);
      create index news_item_reported_created_at_idx on news_item (reported_created_at desc nulls last, id);
      create index news_item_created_at_idx on news_item (created_at desc nulls last, id);
      create index news_item_title_trigram_idx on news_item using gin (nfc(title) gin_trgm_ops);
      create index news_item_title_search_idx on news_item using gin (unaccent_lower(nfc(title)) gin_trgm_ops);
      ${searchTexts('news_item', 'NewsItem', { name: ['title'] })};
      ${logChanges('news_item', 'NewsItem')};
    `);
  }

  private createCategories(): void {
    this.addSql(`
      create table category (
        id text primary key, -- number as text. Default: the next value of category_number
        title text,
        is_instructional_video boolean not null default false,
        is_news boolean not null default false,
        is_enabled boolean not null default false,
        ${tracked}
      );
      create index category_created_at_idx on category (created_at desc nulls last, id);
      create sequence category_number start 16;
      -- Categories are not reference data, because admins edit them. They are inserted before the change log exists.
      insert into category (id, title, is_instructional_video, is_news, is_enabled) values
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
        ('15', 'Announcements', false, true, false);
      ${logChanges('category', 'Category')};
    `);
  }
}
