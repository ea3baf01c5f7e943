import { Migration } from '@mikro-orm/migrations';

/** Titles of tournaments, as they are searched, in narrow rows of their own: what is looked for among many is found in few pages. */
export class Migration0035Names extends Migration {
  override up(): void {
    // Other processes take longer to start than they would save, and start for searches that the first rows end, too.
    this.addSql(
      `create table tournament_name ("id" text not null, "title" text, "name" text, "starts_at" timestamptz, primary key ("id")) with (parallel_workers = 0)`,
    );
    this.addSql(
      `insert into tournament_name (id, title, name, starts_at) select id, lower(nfc(title)), folded(nfc(title)), starts_at from tournament`,
    );
    this.addSql(`create index tournament_name_start_idx on tournament_name (starts_at, id)`);
    this.addSql(`create index tournament_name_title_idx on tournament_name using gin (title gin_trgm_ops)`);
    this.addSql(`create index tournament_name_name_idx on tournament_name using gin (name gin_trgm_ops)`);
    this.addSql('drop index tournament_title_part_idx');
    this.addSql('drop index tournament_title_search_idx');
    this.keepNames();
    this.addSql('analyze tournament_name');
  }

  /** Of an update, only those rows are written of which something has changed that is kept. */
  private keepNames(): void {
    this.addSql(`create function keep_tournament_names() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into public.tournament_name (id, title, name, starts_at)
          select id, lower(public.nfc(title)), public.folded(public.nfc(title)), starts_at from added;
        elsif tg_op = 'DELETE' then delete from public.tournament_name n using removed r where n.id = r.id;
        elsif tg_op = 'TRUNCATE' then truncate public.tournament_name;
        else
          update public.tournament_name n
          set id = new.id, title = lower(public.nfc(new.title)), name = public.folded(public.nfc(new.title)), starts_at = new.starts_at
          where n.id = old.id;
        end if;
        return null;
      end
    $$`);
    this.addSql(
      `create trigger tournament_name_added after insert on tournament referencing new table as added for each statement execute function keep_tournament_names()`,
    );
    this.addSql(
      `create trigger tournament_name_removed after delete on tournament referencing old table as removed for each statement execute function keep_tournament_names()`,
    );
    this.addSql(
      `create trigger tournament_name_changed after update on tournament for each row
       when (old.id is distinct from new.id or old.title is distinct from new.title or old.starts_at is distinct from new.starts_at)
       execute function keep_tournament_names()`,
    );
    this.addSql(
      `create trigger tournament_name_truncated after truncate on tournament for each statement execute function keep_tournament_names()`,
    );
  }
}
