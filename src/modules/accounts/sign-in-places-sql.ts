import type { Session } from '../../kernel/session.js';

/** Places of which an account remembers that it was signed in from there, and for how long. */
const [most, lifetime] = [10, `interval '90 days'`];

/** Whether the account of that e-mail address was signed in from a place, by its hash, not too long ago. */
export const wasSignedInFrom = async (sql: Session, email: string, placeHash: string): Promise<boolean> =>
  (await sql.row(
    `select true from sign_in_place p join app_user u on u.id = p.user_id
     where u.email = $1 and p.place_hash = $2 and p.seen_at > clock_timestamp() - ${lifetime}`,
    [email, placeHash],
  )) !== null;

/** Remembers from where a user has signed in, and forgets the places beyond the newest. */
export const rememberPlace = (sql: Session, userId: string, placeHash: string): Promise<unknown> =>
  sql.rows(
    `with seen as (
       insert into sign_in_place (user_id, place_hash) values ($1, $2)
       on conflict (user_id, place_hash) do update set seen_at = clock_timestamp())
     delete from sign_in_place where user_id = $1 and place_hash in (
       select place_hash from sign_in_place where user_id = $1 and place_hash <> $2
       order by seen_at desc offset ${most - 1} for update skip locked)`,
    [userId, placeHash],
  );

/** Forgets all places of a user. */
export const forgetPlacesOf = (sql: Session, userId: string): Promise<unknown> =>
  sql.rows('delete from sign_in_place where user_id = $1', [userId]);

/** Forgets what is too old. */
export const forgetOldPlaces = (sql: Session): Promise<unknown> =>
  sql.rows(`delete from sign_in_place where seen_at < clock_timestamp() - ${lifetime}`);
