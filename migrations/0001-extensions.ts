import { Migration } from '@mikro-orm/migrations';

/** Extensions, and functions that normalize texts for comparisons. */
export class Baseline0001Extensions extends Migration {
  override up(): void {
    this.addSql(`
      create extension if not exists pg_trgm; -- search by parts of words and by similar words
      create extension if not exists unaccent;
      create extension if not exists cube; -- needed by earthdistance
      create extension if not exists earthdistance;
      create extension if not exists hstore; -- differences between the old and the new row, in the change log
    `);
    // Declared immutable, because an index needs it. `unaccent` itself is only stable, because its dictionary could change.
    this.addSql(`
      create function unaccent_lower(text) returns text language sql immutable strict parallel safe as $$
        select lower(public.unaccent('public.unaccent'::regdictionary, $1))
      $$
    `);
    // Not strict, so that PostgreSQL inlines it. The length detects ASCII, which is always in NFC, faster than the test for NFC.
    this.addSql(`
      create function nfc(text) returns text language sql immutable parallel safe as $$
        select case when octet_length($1) = length($1) or $1 is nfc normalized then $1 else normalize($1, nfc) end
      $$
    `);
  }
}
