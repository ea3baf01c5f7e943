import { readSql, writeSql } from '../../kernel/facts.js';
import type { Session } from '../../kernel/session.js';

/** Places of which an account remembers that it was signed in from there, and for how long. */
const [most, lifetime] = [10, `interval '90 days'`];

/** What limits of sign-ins depend on. */
interface SignInHistory {
  /** Null for an unknown account, or one without a password. */
  readonly passwordHash: string | null;
  /** Whether the account was signed in from the place, not too long ago. */
  readonly isKnownPlace: boolean;
}

/** The sign-in history of the account with an e-mail address, at a place. */
export async function signInHistoryOf(sql: Session, email: string, placeHash: string): Promise<SignInHistory> {
  const row = await sql.row(
    readSql(
      ['app_user', 'sign_in_place'],
      `select u.password_hash as "passwordHash", exists (select from sign_in_place p
       where p.user_id = u.id and p.place_hash = $2 and p.seen_at > clock_timestamp() - ${lifetime}) as "isKnownPlace"
     from app_user u where u.email = $1`,
      { isVolatile: true },
    ),
    [email, placeHash],
  );
  return { passwordHash: row?.passwordHash ? String(row.passwordHash) : null, isKnownPlace: row?.isKnownPlace === true };
}

/** Remembers from where a user has signed in, and forgets the places beyond the newest. */
export const rememberPlace = (sql: Session, userId: string, placeHash: string): Promise<unknown> =>
  sql.rows(
    writeSql(
      ['sign_in_place'],
      `with seen as (
       insert into sign_in_place (user_id, place_hash) values ($1, $2)
       on conflict (user_id, place_hash) do update set seen_at = clock_timestamp())
     delete from sign_in_place where user_id = $1 and place_hash in (
       select place_hash from sign_in_place where user_id = $1 and place_hash <> $2
       order by seen_at desc offset ${most - 1} for update skip locked)`,
      ['sign_in_place'],
    ),
    [userId, placeHash],
  );

/** Forgets all places of a user. */
export const forgetPlacesOf = (sql: Session, userId: string): Promise<unknown> =>
  sql.rows(writeSql(['sign_in_place'], 'delete from sign_in_place where user_id = $1'), [userId]);

/** Forgets what is too old. */
export const forgetOldPlaces = (sql: Session): Promise<unknown> =>
  sql.rows(writeSql(['sign_in_place'], `delete from sign_in_place where seen_at < clock_timestamp() - ${lifetime}`));
