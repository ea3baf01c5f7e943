import type { Client } from 'pg';
import { staging } from './staging-sql.js';

/** Additional columns of staged users without a slug: the slug of their name, and the unique slug that the import derives from it. */
export const slugColumns = { name: 'name_slug', unique: 'unique_slug' } as const;

const { name, unique } = slugColumns;

/**
 * SQL expression for the slug of a new user if the row contains none: the derived slug. If another user has taken this slug in the
 * meantime, the expression returns `~` followed by the ID.
 */
export const derivedSlug = `coalesce((select s.${unique} where not exists (select from public.app_user t where t.slug = s.${unique})), '~' || s.id)`;

const addColumns = `alter table ${staging}.app_user add ${name} text, add ${unique} text`;

/** Adds the slug columns to the staged table of users. */
export const addSlugColumns = (client: Client): Promise<unknown> => client.query(addColumns);

/**
 * Derives a slug for each new user that has none yet: the slug of the name, with the lowest free number appended if necessary. Slugs that
 * are derived from different names can be equal, such as `ana-2`. In this case, only the first user gets the slug, and the next run derives
 * other slugs for the rest.
 */
const assignSlugs = `
  with new_users as (
    select import_line, ${name}, row_number() over (partition by ${name} order by import_line) as number
    from ${staging}.app_user s
    where ${name} is not null and ${unique} is null and not exists (select from public.app_user t where t.id = s.id)
  ), taken as (
    select slug from public.app_user
    union all select coalesce(slug, ${unique}) from ${staging}.app_user where coalesce(slug, ${unique}) is not null
  ), taken_counts as (
    select ${name}, count(*) as taken_count
    from (select slug as ${name} from taken union all select regexp_replace(slug, '-\\d+$', '') from taken where slug ~ '-\\d+$') slugs
    group by ${name}
  ), needed as (
    select ${name}, max(number) as needed_count from new_users group by ${name}
  ), free as (
    select ${name}, candidate.slug, row_number() over (partition by ${name} order by n) as number
    from needed left join taken_counts using (${name}),
      lateral (select n, case n when 1 then ${name} else ${name} || '-' || n end as slug
        from generate_series(1, needed_count + coalesce(taken_count, 0)) n) candidate
    where not exists (select from taken where taken.slug = candidate.slug)
  ), assigned as (
    select distinct on (slug) import_line, slug from new_users join free using (${name}, number) order by slug, import_line
  )
  update ${staging}.app_user s set ${unique} = assigned.slug from assigned where s.import_line = assigned.import_line`;

/** Derives unique slugs for all new users without a slug. */
export async function deriveSlugs(client: Client): Promise<void> {
  for (let assignedCount = 1; assignedCount > 0; ) assignedCount = (await client.query(assignSlugs)).rowCount ?? 0;
}
