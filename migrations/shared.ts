// Columns and triggers that many tables of the baseline share. They are part of landed migrations, so this file must not be edited either.

/** Columns for the time and the author of the creation and of the last change. The service sets them on every write. */
export const tracked = `created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(),
        created_by text, -- name of a user or platform, which may no longer exist
        updated_by text,
        created_by_id text, -- null if it was not a user
        updated_by_id text`;

/** Columns for the time and the author of the creation and of the last change, as reported by the platform. */
export const reported = `reported_created_at timestamptz, reported_created_by text,
        reported_updated_at timestamptz, reported_updated_by text`;

/** Same columns as `reported`, with a creation time that is never null, because lists are ordered by it. */
export const reportedByDefault = `reported_created_at timestamptz not null default clock_timestamp(), reported_created_by text,
        reported_updated_at timestamptz, reported_updated_by text`;

/** Columns for an address, and for coordinates in degrees. */
export const location = `location_venue text, location_street_address text, location_city text,
        location_state text, location_zip text, location_country text, -- state and country: title or code, as sent by the platform
        location_latitude double precision, location_longitude double precision`;

/** Columns for contact information to display on a page. */
export const contactTexts = `contact_registration text, contact_website_account text, contact_refunds text, contact_other text`;

/** Columns for the approval of a text or image of a user. */
export const approvalState = `approval_state text not null default 'PENDING', -- PENDING, APPROVED or DECLINED
        approval_required int not null default 1, -- number of approvals, 0 to 2
        approval_given int not null default 0,
        approval_declined_at timestamptz, approval_decline_reason text`;

/** Logs the changes of a table. The log stores the values of the columns `refs`, by which subscribers are selected. */
export const logChanges = (table: string, record: string, ...refs: readonly string[]): string =>
  `select log_changes('${table}', '${record}', array[${refs.map((ref) => `'${ref}'`).join(', ')}]::text[])`;

/** Adds the writes of a table to the audit trail, with the values of `fields`. A dot separates a group from its field, as in `approval.state`. */
export const auditWrites = (table: string, record: string, ...fields: readonly string[]): string =>
  `create trigger audited after insert or update or delete on ${table} for each row
        execute function audit_write(${[record, ...fields].map((text) => `'${text}'`).join(', ')})`;

/** Counts the rows of a table in `row_count`. */
export const countRows = (table: string): string => `
      create trigger ${table}_added after insert on ${table} referencing new table as added
        for each statement execute function count_rows();
      create trigger ${table}_removed after delete on ${table} referencing old table as removed
        for each statement execute function count_rows();
      create trigger ${table}_truncated after truncate on ${table} for each statement execute function count_rows();
      insert into row_count (table_name, slot, count) values ('${table}', 0, 0)`;

interface SearchedColumns {
  /** Columns that form the name. */
  readonly name: readonly string[];
  /** Columns with the location, and with the title or code of the state. */
  readonly location?: readonly string[];
  readonly state?: string;
}

/** Searched columns of records with a title and a location. */
export const located: SearchedColumns = {
  name: ['title'],
  location: ['location_venue', 'location_city'],
  state: 'location_state',
};

/** Copies the search texts of a table to `search_text` after each write. */
export function searchTexts(table: string, record: string, { name, location = [], state }: SearchedColumns): string {
  const joined = (columns: readonly string[], row: string) =>
    columns.map((column) => `coalesce(${row}.${column}, '')`).join(` || ' ' || `);
  const textsOf = (row: string) => ({
    name: `public.unaccent_lower(public.nfc(${joined(name, row)}))`,
    text: `public.unaccent_lower(public.nfc(${joined([...name, ...location], row)}))`,
    state: state ? `public.unaccent_lower(public.nfc(${row}.${state}))` : 'null',
  });
  const changed = textsOf('new');
  const isChanged = ['id', ...name, ...location, ...(state ? [state] : [])].map(
    (column) => `old.${column} is distinct from new.${column}`,
  );
  const run = `execute function sync_${table}_search_text()`;
  return `
      create function sync_${table}_search_text() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          insert into public.search_text (record, id, name, text, state)
          select '${record}', r.id, ${Object.values(textsOf('r')).join(', ')} from added r;
        elsif tg_op = 'DELETE' then
          delete from public.search_text s using removed r where s.record = '${record}' and s.id = r.id;
        elsif tg_op = 'TRUNCATE' then
          delete from public.search_text s where s.record = '${record}';
        else
          update public.search_text s set id = new.id, name = ${changed.name}, text = ${changed.text}, state = ${changed.state}
          where s.record = '${record}' and s.id = old.id;
        end if;
        return null;
      end
      $$;
      create trigger search_text_added after insert on ${table} referencing new table as added for each statement ${run};
      create trigger search_text_removed after delete on ${table} referencing old table as removed for each statement ${run};
      create trigger search_text_changed after update on ${table} for each row when (${isChanged.join(' or ')}) ${run};
      create trigger search_text_truncated after truncate on ${table} for each statement ${run}`;
}
