import { Migration } from '@mikro-orm/migrations';

/** Creates extensions, and functions that normalize strings for comparisons. */
export class Baseline0001Extensions extends Migration {
  override up(): void {
    this.addSql(`
      create extension if not exists pg_trgm; -- substring search and similarity search
      create extension if not exists unaccent;
      create extension if not exists cube; -- required by earthdistance
      create extension if not exists earthdistance;
      create extension if not exists hstore; -- compares old and new rows for the change log
    `);
    // Declared immutable, because it is used in indexes. `unaccent` itself is only stable, because its dictionary could change.
    this.addSql(`
      create function unaccent_lower(text) returns text language sql immutable strict parallel safe as $$
        select lower(public.unaccent('public.unaccent'::regdictionary, $1))
      $$
    `);
    // Not strict, so that PostgreSQL can inline it. The comparison of lengths detects ASCII, which is always in NFC, faster than the NFC test.
    this.addSql(`
      create function nfc(text) returns text language sql immutable parallel safe as $$
        select case when octet_length($1) = length($1) or $1 is nfc normalized then $1 else normalize($1, nfc) end
      $$
    `);
  }
}
