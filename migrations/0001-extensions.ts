import { Migration } from '@mikro-orm/migrations';

/** Extensions of searches by title and by distance, and the text that titles are compared by. */
export class Migration0001Extensions extends Migration {
  override up(): void {
    for (const name of ['pg_trgm', 'unaccent', 'cube', 'earthdistance']) this.addSql(`create extension if not exists ${name}`);
    // unaccent is only stable, because its dictionary could change; an index needs an immutable function.
    this.addSql(
      `create or replace function folded(text) returns text language sql immutable strict parallel safe as $$ select lower(public.unaccent('public.unaccent'::regdictionary, $1)) $$`,
    );
  }
}
