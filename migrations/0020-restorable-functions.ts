import { Migration } from '@mikro-orm/migrations';

/**
 * Replaces the option `set` of a function, so that `pg_restore` can create the function as the unprivileged owner of the database: the option
 * requires a superuser unless the session has loaded pg_trgm. If the function fails, the rollback restores the threshold.
 */
export class Migration0020RestorableFunctions extends Migration {
  static readonly oldestRelease = '0.1.0';

  override up(): void {
    this.addSql(`
      create or replace function tournament_words_near(search text) returns text[] language plpgsql immutable strict as $$
      declare
        threshold text := current_setting('pg_trgm.word_similarity_threshold', true);
        words text[];
      begin
        perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
        words := array(select w.word from public.tournament_word w
          where w.deletion_variants && (case when length(search) > 3 then public.deletion_variants(search) else array[search] end) or search <% w.name);
        perform set_config('pg_trgm.word_similarity_threshold', threshold, true);
        return words;
      end
      $$
    `);
  }
}
