import { Migration } from '@mikro-orm/migrations';

const closeWords = `w.deletion_variants && (case when length(search) > 3 then public.deletion_variants(search) else array[search] end)`;

/** Creates the tables for the search of tournaments by title. Titles are copied to narrow rows, so that a search reads few pages. */
export class Baseline0006TournamentSearch extends Migration {
  override up(): void {
    this.splitTitles();
    this.createTables();
    this.writeWords();
    this.writeTitles();
    this.findWords();
    this.addSql('analyze tournament_name, tournament_word');
  }

  private splitTitles(): void {
    // Splits text at blanks. Words that are too long for an index are replaced with '…'. Not strict, so that PostgreSQL can inline it.
    this.addSql(`
      create function split_words(text) returns text[] language sql immutable parallel safe as $$
        select string_to_array(case when length($1) > 100 then regexp_replace($1, '[^ ]{101,}', '…', 'g') else $1 end, ' ')
      $$
    `);
    // Returns a word and its variants with one letter deleted. Words with a common variant differ in at most two letters.
    this.addSql(`
      create function deletion_variants(text) returns text[] language sql immutable strict parallel safe as $$
        select array(select distinct left($1, i) || substr($1, i + 2) from generate_series(0, length($1)) i)
      $$
    `);
  }

  private createTables(): void {
    // Parallel workers are disabled, because their startup takes longer than they save.
    this.addSql(`
      create table tournament_name (
        id text primary key,
        title text, -- in NFC and lower case
        name text, -- title without accents
        starts_at timestamptz
      ) with (parallel_workers = 0);
      create index tournament_name_start_idx on tournament_name (starts_at, id);
      create index tournament_name_name_idx on tournament_name using gin (name gin_trgm_ops);
      create index tournament_name_words_idx on tournament_name using gin (split_words(title));
    `);
    // There is no unique index, so that transactions do not wait for each other. Concurrent transactions can insert the same word twice. Words of
    // deleted titles are not removed: they are harmless, because a search looks up the words in the titles.
    this.addSql(`
      create table tournament_word (
        word text not null, -- word in tournament_name.title
        name text not null, -- the word without accents
        deletion_variants text[] not null -- deletion_variants(name)
      );
      create index tournament_word_idx on tournament_word (word);
      create index tournament_word_trigram_idx on tournament_word using gin (word gin_trgm_ops);
      create index tournament_word_name_idx on tournament_word using gin (name gin_trgm_ops);
      create index tournament_word_deletion_variants_idx on tournament_word using gin (deletion_variants);
    `);
  }

  private writeWords(): void {
    // Looks up each word separately. Most writes have one title, and planning a statement for a list would take longer.
    this.addSql(`
      create function insert_tournament_words(titles text[]) returns void language plpgsql as $$
      declare
        words text[] := public.split_words(titles[1]);
        new_word text;
      begin
        if cardinality(titles) > 1 then
          words := array(select distinct unnest(public.split_words(t.title)) from unnest(titles) as t(title));
        end if;
        foreach new_word in array coalesce(words, '{}') loop
          if not exists (select from public.tournament_word w where w.word = new_word) then
            insert into public.tournament_word (word, name, deletion_variants)
            values (new_word, public.unaccent_lower(new_word), public.deletion_variants(public.unaccent_lower(new_word)));
          end if;
        end loop;
      end
      $$
    `);
  }

  private writeTitles(): void {
    this.addSql(`
      create function sync_tournament_names() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into public.tournament_name (id, title, name, starts_at)
          select id, lower(public.nfc(title)), public.unaccent_lower(public.nfc(title)), starts_at from added;
          perform public.insert_tournament_words(array(select lower(public.nfc(title)) from added where title is not null));
        elsif tg_op = 'DELETE' then delete from public.tournament_name n using removed r where n.id = r.id;
        elsif tg_op = 'TRUNCATE' then truncate public.tournament_name;
        else
          update public.tournament_name n
          set id = new.id, title = lower(public.nfc(new.title)), name = public.unaccent_lower(public.nfc(new.title)), starts_at = new.starts_at
          where n.id = old.id;
          if new.title is distinct from old.title then
            perform public.insert_tournament_words(array[lower(public.nfc(new.title))]);
          end if;
        end if;
        return null;
      end
      $$;
      create trigger tournament_name_added after insert on tournament referencing new table as added
        for each statement execute function sync_tournament_names();
      create trigger tournament_name_removed after delete on tournament referencing old table as removed
        for each statement execute function sync_tournament_names();
      create trigger tournament_name_changed after update on tournament for each row
        when (old.id is distinct from new.id or old.title is distinct from new.title or old.starts_at is distinct from new.starts_at)
        execute function sync_tournament_names();
      create trigger tournament_name_truncated after truncate on tournament for each statement execute function sync_tournament_names();
    `);
  }

  /**
   * Creates functions that return the words that match a pattern or a similar word. The input is in lower case, and without accents except for
   * `tournament_words_like`.
   *
   * The functions read a table, but are declared immutable. PostgreSQL then plans for the actual words. Statements that call
   * them are planned each time.
   */
  private findWords(): void {
    this.addSql(`
      create function tournament_words_like(pattern text) returns text[] language plpgsql immutable strict parallel safe as $$
      begin return array(select w.word from public.tournament_word w where w.word like pattern or w.word = '…'); end
      $$;
      create function tournament_words_named(pattern text) returns text[] language plpgsql immutable strict parallel safe as $$
      begin return array(select w.word from public.tournament_word w where w.name like pattern); end
      $$;
    `);
    // `close` finds words that differ in a few letters. `near` also finds words with enough common trigrams.
    this.addSql(`
      create function tournament_words_close(search text) returns text[] language plpgsql immutable strict parallel safe as $$
      begin return array(select w.word from public.tournament_word w where ${closeWords}); end
      $$;
      create function tournament_words_near(search text) returns text[] language plpgsql immutable strict
        set pg_trgm.word_similarity_threshold = 0.4 as $$
      begin return array(select w.word from public.tournament_word w where ${closeWords} or search <% w.name); end
      $$;
    `);
  }
}
