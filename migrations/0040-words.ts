import { Migration } from '@mikro-orm/migrations';

/** What tournaments are found by among a million: the words of their titles, and an index of places that has what lists ask for. */
export class Migration0040Words extends Migration {
  override up(): void {
    this.addSql('drop index tournament_place_idx');
    this.addSql(
      `create index tournament_place_idx on tournament using gist (ll_to_earth(location_latitude, location_longitude)) include (location_latitude, location_longitude, first_day_begins_at, last_day_ends_at, starts_at, id)`,
    );
    this.split();
    this.addSql('create table tournament_word ("word" text not null, "name" text not null, "misses" text[] not null)');
    this.addSql('create index tournament_word_idx on tournament_word (word)');
    this.keepWords();
    this.addSql('create index tournament_word_part_idx on tournament_word using gin (word gin_trgm_ops)');
    this.addSql('create index tournament_word_name_idx on tournament_word using gin (name gin_trgm_ops)');
    this.addSql('create index tournament_word_misses_idx on tournament_word using gin (misses)');
    this.addSql('create index tournament_name_words_idx on tournament_name using gin (words_of(title))');
    this.addSql('drop index tournament_name_title_idx');
    this.find();
    for (const table of ['tournament_name', 'tournament_word']) this.addSql(`analyze ${table}`);
  }

  /**
   * Words are what stands between blanks. Those that no index could hold are one word all together. The first function is not called strict:
   * PostgreSQL would not write it out then where it is called.
   */
  private split(): void {
    this.addSql(
      `create function words_of(text) returns text[] language sql immutable parallel safe as $$
        select string_to_array(case when length($1) > 100 then regexp_replace($1, '[^ ]{101,}', '…', 'g') else $1 end, ' ')
      $$`,
    );
    this.addSql(
      `create function without_one(text) returns text[] language sql immutable strict parallel safe as $$
        select array(select distinct left($1, i) || substr($1, i + 2) from generate_series(0, length($1)) i)
      $$`,
    );
  }

  /**
   * A word that two writers bring at once is there twice, and nobody waits for the other. It stays when its titles are gone: what it finds
   * is looked up in the titles.
   */
  private keepWords(): void {
    // Word by word, each by the index. What a statement over lists takes to be planned is longer than all the rest, for one title.
    this.addSql(`create function keep_tournament_words(titles text[]) returns void language plpgsql as $$
      declare
        words text[] := public.words_of(titles[1]);
        one text;
      begin
        if cardinality(titles) > 1 then
          words := array(select distinct unnest(public.words_of(t.title)) from unnest(titles) as t(title));
        end if;
        foreach one in array coalesce(words, '{}') loop
          if not exists (select from public.tournament_word w where w.word = one) then
            insert into public.tournament_word (word, name, misses)
            values (one, public.folded(one), public.without_one(public.folded(one)));
          end if;
        end loop;
      end
    $$`);
    this.addSql(`create or replace function keep_tournament_names() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into public.tournament_name (id, title, name, starts_at)
          select id, lower(public.nfc(title)), public.folded(public.nfc(title)), starts_at from added;
          perform public.keep_tournament_words(array(select lower(public.nfc(title)) from added where title is not null));
        elsif tg_op = 'DELETE' then delete from public.tournament_name n using removed r where n.id = r.id;
        elsif tg_op = 'TRUNCATE' then truncate public.tournament_name;
        else
          update public.tournament_name n
          set id = new.id, title = lower(public.nfc(new.title)), name = public.folded(public.nfc(new.title)), starts_at = new.starts_at
          where n.id = old.id;
          if new.title is distinct from old.title then
            perform public.keep_tournament_words(array[lower(public.nfc(new.title))]);
          end if;
        end if;
        return null;
      end
    $$`);
    this.addSql('select keep_tournament_words(array(select title from tournament_name where title is not null))');
  }

  /**
   * The words that are looked for, by patterns in lower case or by a word, without accents but for the first. They read a table, but are called
   * immutable: PostgreSQL then plans for the words themselves, and statements that ask them are planned anew each time.
   */
  private find(): void {
    const find = (name: string, given: string, where: string, settings = 'parallel safe') =>
      this.addSql(
        `create function tournament_words_${name}(${given} text) returns text[] language plpgsql immutable strict ${settings} as $$
          begin return array(select w.word from public.tournament_word w where ${where}); end
        $$`,
      );
    find('like', 'pattern', `w.word like pattern or w.word = '…'`);
    find('named', 'pattern', 'w.name like pattern');
    const close = `w.misses && (case when length(asked) > 3 then public.without_one(asked) else array[asked] end)`;
    find('close', 'asked', close);
    find('near', 'asked', `${close} or asked <% w.name`, 'set pg_trgm.word_similarity_threshold = 0.4');
  }
}
