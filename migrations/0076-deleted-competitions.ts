import { Migration } from '@mikro-orm/migrations';

const hidesPlayers = `(old.hides_players or old.player_list_visibility = '1')`;

/**
 * Remembers deleted tournaments that hid their players, and the tournaments of deleted events. Their teams, entries, standings and points still
 * exist and stay hidden. Records of unknown tournaments are not hidden, because platforms send teams before their tournament.
 */
export class Migration0076DeletedCompetitions extends Migration {
  override up(): void {
    this.addSql(`create table deleted_hidden_tournament ("id" text not null, primary key ("id"))`);
    this.addSql(`create table deleted_event ("id" text not null, "tournament_id" text not null, primary key ("id"))`);
    this.addSql(`create function remember_hidden_tournament() returns trigger language plpgsql as $$
      begin
        insert into public.deleted_hidden_tournament (id) values (old.id) on conflict do nothing;
        return null;
      end $$`);
    this.addSql(`create function remember_event() returns trigger language plpgsql as $$
      begin
        insert into public.deleted_event (id, tournament_id) values (old.id, old.tournament_id)
          on conflict (id) do update set tournament_id = excluded.tournament_id;
        return null;
      end $$`);
    this.addSql(
      `create trigger remember_hidden after delete on tournament for each row when ${hidesPlayers} execute function remember_hidden_tournament()`,
    );
    this.addSql(
      `create trigger remember after delete on tournament_event for each row when (old.tournament_id <> '') execute function remember_event()`,
    );
    this.forget('tournament', 'deleted_hidden_tournament');
    this.forget('tournament_event', 'deleted_event');
    // Without statistics, PostgreSQL assumes a thousand rows and reads all teams.
    this.addSql('analyze deleted_hidden_tournament, deleted_event');
  }

  /** Removes the IDs of records that exist again. */
  private forget(table: string, deleted: string): void {
    this.addSql(`create function forget_${deleted}() returns trigger language plpgsql as $$
      begin
        delete from public.${deleted} d using added a where d.id = a.id;
        return null;
      end $$`);
    this.addSql(
      `create trigger forget_deleted after insert on ${table} referencing new table as added for each statement execute function forget_${deleted}()`,
    );
  }
}
