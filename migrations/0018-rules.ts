import { Migration } from '@mikro-orm/migrations';

/** Texts are compared in NFC, chains of cancelled points are followed, and a sponsor has several users. */
export class Migration0018Rules extends Migration {
  override up(): void {
    // Not strict, so that it is inlined; and ASCII, which is NFC, is told by its length, because the test itself costs many times as much.
    this.addSql(
      `create or replace function nfc(text) returns text language sql immutable parallel safe as $$ select case when octet_length($1) = length($1) or $1 is nfc normalized then $1 else normalize($1, nfc) end $$`,
    );
    for (const table of ['tournament', 'club', 'league', 'news_item', 'sponsor']) {
      this.addSql(`drop index ${table}_title_part_idx`);
      this.addSql(`create index ${table}_title_part_idx on ${table} using gin (nfc(title) gin_trgm_ops)`);
    }
    for (const table of ['club', 'league', 'league_listing']) {
      this.addSql(`drop index ${table}_title_same_idx`);
      this.addSql(`create index ${table}_title_same_idx on ${table} using hash (nfc(title))`);
    }
    this.addSql(`drop index tournament_title_search_idx`);
    this.addSql(`create index tournament_title_search_idx on tournament using gin (folded(nfc(title)) gin_trgm_ops)`);
    this.addSql(`drop index discount_code_code_idx`);
    this.addSql(`create index discount_code_code_idx on discount_code (nfc(code), id)`);
    this.addSql(`create index sponsor_place_idx on sponsor (coalesce(display_order, 0), created_at desc nulls last, id)`);
    // Slugs are kept in NFC. One whose form in NFC is taken stays as it is: its page has another address already.
    this.addSql(
      `update news_item n set slug = nfc(slug) where slug is not nfc normalized and not exists (select from news_item other where other.id <> n.id and nfc(other.slug) = nfc(n.slug))`,
    );
  }
}
