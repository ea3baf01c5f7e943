import { Migration } from '@mikro-orm/migrations';

/**
 * Records during which part of the change log a tournament hid its players. A resumed subscription can then tell which of the missed changes were
 * hidden from the subscriber.
 */
export class Migration0017HiddenPlayersPeriods extends Migration {
  override up(): void {
    this.addSql(`
      create table hidden_players_period (
        tournament_id text not null,
        started_position bigint not null, -- changes after this position of the change log were hidden
        ended_position bigint -- changes up to this position were hidden. Null if the tournament still hides its players
      );
      create index hidden_players_period_tournament_id_idx on hidden_players_period (tournament_id, ended_position);
      create unique index hidden_players_period_open_idx on hidden_players_period (tournament_id) where ended_position is null;
      insert into hidden_players_period (tournament_id, started_position)
        select id, 0 from tournament where hides_players or player_list_visibility = '1'
        union select id, 0 from deleted_hidden_tournament;
    `);
    // The period of a tournament that is deleted while it hides its players stays open, until a tournament with the same ID shows them.
    const hides = (row: string) => `(${row}.hides_players or coalesce(${row}.player_list_visibility = '1', false))`;
    this.addSql(`
      create function start_hidden_players_period() returns trigger language plpgsql as $$
      begin
        insert into public.hidden_players_period (tournament_id, started_position)
          select new.id, last_value from public.change_position on conflict do nothing;
        return null;
      end $$;
      create function end_hidden_players_period() returns trigger language plpgsql as $$
      begin
        update public.hidden_players_period set ended_position = (select last_value from public.change_position)
          where tournament_id = new.id and ended_position is null;
        return null;
      end $$;
      create trigger hidden_players_inserted after insert on tournament for each row
        when (${hides('new')}) execute function start_hidden_players_period();
      create trigger shown_players_inserted after insert on tournament for each row
        when (not ${hides('new')}) execute function end_hidden_players_period();
      create trigger players_hidden after update of hides_players, player_list_visibility on tournament for each row
        when (${hides('new')} and not ${hides('old')}) execute function start_hidden_players_period();
      create trigger players_shown after update of hides_players, player_list_visibility on tournament for each row
        when (${hides('old')} and not ${hides('new')}) execute function end_hidden_players_period();
    `);
    // Without statistics, PostgreSQL assumes a thousand rows and reads all teams.
    this.addSql('analyze hidden_players_period');
  }
}
