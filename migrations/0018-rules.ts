import { Migration } from '@mikro-orm/migrations';

/**
 * Which of a player's points are cancelled: given latest first, none of them ignored. Points count unless points that count cancel out their
 * tournament. Where that settles nothing more, some cancel one another in a circle that nothing outside it decides; the latest of them count
 * then, and the rest follows. A tournament's number is the first place at which it stands, so that each step is a look into an array.
 */
const cancelledPoints = `create or replace function cancelled_points(ids text[], tournaments text[], cancels text[]) returns text[]
  language plpgsql immutable parallel safe as $$
  declare
    own int[];
    target int[];
    threats int[] := array_fill(0, array[cardinality(ids)]);
    is_hit bool[] := array_fill(false, array[cardinality(ids)]);
    counts bool[] := array_fill(null::bool, array[cardinality(ids)]);
    cancelled text[] := '{}';
    undecided int := cardinality(ids);
    undecided_before int;
    place int;
    outside int;
    circle int[];
    latest int;
  begin
    for i in 1..cardinality(ids) loop
      own[i] := case when tournaments[i] is not null then array_position(tournaments, tournaments[i]) end;
      target[i] := case when cancels[i] is not null then nullif(array_position(tournaments, cancels[i]), own[i]) end;
      if target[i] is not null then threats[target[i]] := threats[target[i]] + 1; end if;
    end loop;
    while undecided > 0 loop
      undecided_before := undecided;
      for i in 1..cardinality(ids) loop
        continue when counts[i] is not null or i is distinct from latest and not is_hit[own[i]] and threats[own[i]] > 0;
        counts[i] := i is not distinct from latest or is_hit[own[i]] is distinct from true;
        undecided := undecided - 1;
        if not counts[i] then cancelled := cancelled || ids[i]; end if;
        if target[i] is not null then
          threats[target[i]] := threats[target[i]] - 1;
          is_hit[target[i]] := is_hit[target[i]] or counts[i];
        end if;
      end loop;
      if undecided = undecided_before then
        place := own[array_position(counts, null)];
        loop
          with recursive edge as materialized (
            select own[i] as a, target[i] as b from generate_series(1, cardinality(ids)) i where counts[i] is null and target[i] is not null
          ), up(n) as (
            select place union select a from up join edge on b = n
          ), down(n) as (
            select place union select b from down join edge on a = n
          )
          select array_agg(n), min(n) filter (where n not in (select n from down)) into circle, outside from up;
          exit when outside is null;
          place := outside;
        end loop;
        select min(i) into strict latest from generate_series(1, cardinality(ids)) i
        where counts[i] is null and own[i] = any(circle) and target[i] = any(circle);
      end if;
    end loop;
    return cancelled;
  end
$$`;

/** Texts are compared in NFC, chains of cancelled points are followed, and a sponsor has several users. */
export class Migration0018Rules extends Migration {
  override up(): void {
    // Not strict, so that it is inlined; and ASCII, which is NFC, is told by its length, because the test itself costs many times as much.
    this.addSql(
      `create or replace function nfc(text) returns text language sql immutable parallel safe as $$ select case when octet_length($1) = length($1) or $1 is nfc normalized then $1 else normalize($1, nfc) end $$`,
    );
    for (const table of ['tournament', 'club', 'league', 'news_item', 'sponsor']) {
      this.addSql(`drop index ${table}_title_part_idx`);
      this.addSql(`create index ${table}_title_part_idx on ${table} using gin (nfc(title) gin_trgm_ops)`);
    }
    for (const table of ['club', 'league', 'league_listing']) {
      this.addSql(`drop index ${table}_title_same_idx`);
      this.addSql(`create index ${table}_title_same_idx on ${table} using hash (nfc(title))`);
    }
    this.addSql(`drop index tournament_title_search_idx`);
    this.addSql(`create index tournament_title_search_idx on tournament using gin (folded(nfc(title)) gin_trgm_ops)`);
    this.addSql(`drop index discount_code_code_idx`);
    this.addSql(`create index discount_code_code_idx on discount_code (nfc(code), id)`);
    this.addSql(
      `create index sponsor_place_idx on sponsor (coalesce(display_order, 0), reported_created_at desc nulls last, id)`,
    );
    this.addSql(cancelledPoints);
    this.addSql(
      `create table "sponsorship" ("id" text not null, "sponsor_id" text null, "user_id" text null, "started_at" timestamptz null, "is_primary" boolean not null default false, "created_at" timestamptz not null default clock_timestamp(), "updated_at" timestamptz not null default clock_timestamp(), "created_by" text null, "updated_by" text null, primary key ("id"))`,
    );
    this.addSql(`create index sponsorship_sponsor_id_idx on sponsorship (sponsor_id, id)`);
    this.addSql(`create index sponsorship_user_id_idx on sponsorship (user_id, id)`);
    this.addSql(`create index sponsorship_created_at_idx on sponsorship (created_at desc nulls last, id)`);
    this.addSql(`alter table "sponsorship" add constraint "sponsorship_key_unique" unique ("sponsor_id", "user_id")`);
    // Slugs are kept in NFC. One whose form in NFC is taken stays as it is: its page has another address already.
    this.addSql(
      `update news_item n set slug = nfc(slug) where slug is not nfc normalized and not exists (select from news_item other where other.id <> n.id and nfc(other.slug) = nfc(n.slug))`,
    );
  }
}
