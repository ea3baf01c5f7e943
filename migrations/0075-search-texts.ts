import { Migration } from '@mikro-orm/migrations';

interface Searched {
  readonly table: string;
  readonly record: string;
  readonly name: readonly string[];
  readonly place: readonly string[];
  readonly state: string | null;
}

const located = (table: string, record: string): Searched => ({
  table,
  record,
  name: ['title'],
  place: ['location_venue', 'location_city'],
  state: 'location_state',
});

const searched: readonly Searched[] = [
  located('tournament', 'Tournament'),
  located('league', 'League'),
  located('club', 'Club'),
  { table: 'app_user', record: 'User', name: ['first_name', 'last_name'], place: [], state: null },
  { table: 'news_item', record: 'NewsItem', name: ['title'], place: [], state: null },
];

const joined = (columns: readonly string[], row: string): string =>
  columns.map((column) => `coalesce(${row}.${column}, '')`).join(` || ' ' || `);

/** SQL of the columns `name`, `text` and `state` of a row. */
const textsOf = ({ name, place, state }: Searched, row: string): readonly [string, string, string] => [
  `public.folded(public.nfc(${joined(name, row)}))`,
  `public.folded(public.nfc(${joined([...name, ...place], row)}))`,
  state ? `public.folded(public.nfc(${row}.${state}))` : 'null',
];

/** Stores the text that `search` looks in, with one index for all records, so that no search computes them. */
export class Migration0075SearchTexts extends Migration {
  override up(): void {
    this.addSql(
      `create table search_text ("record" text not null, "id" text not null, "name" text not null, "text" text not null, "state" text, primary key (record, id))`,
    );
    for (const each of searched) {
      const [name, text, state] = textsOf(each, 'r');
      this.addSql(
        `insert into search_text (record, id, name, text, state) select '${each.record}', r.id, ${name}, ${text}, ${state} from ${each.table} r`,
      );
    }
    // A search reads all pending entries of the index, so that there may be only few.
    this.addSql(
      `create index search_text_text_idx on search_text using gin (text gin_trgm_ops) with (gin_pending_list_limit = 64)`,
    );
    this.addSql(`create index search_text_state_idx on search_text (state) where state is not null`);
    for (const each of searched) this.follow(each);
    for (const { table, state } of searched)
      if (state) for (const index of ['place_text', 'place_name']) this.addSql(`drop index ${table}_${index}_idx`);
    this.addSql('analyze search_text');
  }

  /** Triggers write the texts in the statement that writes the rows. */
  private follow(of: Searched): void {
    const { table, record } = of;
    const columns = ['id', ...of.name, ...of.place, ...(of.state ? [of.state] : [])];
    const [name, text, state] = textsOf(of, 'new');
    this.addSql(`create function keep_${table}_search_text() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into public.search_text (record, id, name, text, state) select '${record}', r.id, ${textsOf(of, 'r').join(', ')} from added r;
        elsif tg_op = 'DELETE' then delete from public.search_text s using removed r where s.record = '${record}' and s.id = r.id;
        elsif tg_op = 'TRUNCATE' then delete from public.search_text s where s.record = '${record}';
        else
          update public.search_text s set id = new.id, name = ${name}, text = ${text}, state = ${state}
          where s.record = '${record}' and s.id = old.id;
        end if;
        return null;
      end
    $$`);
    const run = `execute function keep_${table}_search_text()`;
    this.addSql(
      `create trigger search_text_added after insert on ${table} referencing new table as added for each statement ${run}`,
    );
    this.addSql(
      `create trigger search_text_removed after delete on ${table} referencing old table as removed for each statement ${run}`,
    );
    this.addSql(
      `create trigger search_text_changed after update on ${table} for each row
         when (${columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')}) ${run}`,
    );
    this.addSql(`create trigger search_text_truncated after truncate on ${table} for each statement ${run}`);
  }
}
