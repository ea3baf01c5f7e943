import { sqlForReading, sqlForWriting } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';

/** Maximum number of known sign-in locations per user, and their lifetime after the last sign-in. */
const [maxLocations, lifetime] = [10, `interval '90 days'`];

/** Data that the limits for sign-in attempts depend on. */
interface SignInHistory {
  /** Null if the account is unknown or has no password. */
  readonly passwordHash: string | null;
  /** Whether the user has signed in from the location in the last 90 days. */
  readonly isKnownLocation: boolean;
}

/** Reads the sign-in history of the account with an email address, for one location. */
export async function signInHistoryOf(sql: Session, email: string, locationHash: string): Promise<SignInHistory> {
  const row = await sql.row(
    sqlForReading(
      ['app_user', 'sign_in_location'],
      `select u.password_hash as "passwordHash", exists (select from sign_in_location p
       where p.user_id = u.id and p.location_hash = $2 and p.seen_at > clock_timestamp() - ${lifetime}) as "isKnownLocation"
     from app_user u where u.email = $1`,
      { otherDependency: 'clock_timestamp' },
    ),
    [email, locationHash],
  );
  return { passwordHash: row?.passwordHash ? String(row.passwordHash) : null, isKnownLocation: row?.isKnownLocation === true };
}

/** Saves the sign-in location of a user and deletes all but the newest ten. */
export const saveLocation = (sql: Session, userId: string, locationHash: string): Promise<unknown> =>
  sql.rows(
    sqlForWriting(
      ['sign_in_location'],
      `with seen as (
       insert into sign_in_location (user_id, location_hash) values ($1, $2)
       on conflict (user_id, location_hash) do update set seen_at = clock_timestamp())
     delete from sign_in_location where user_id = $1 and location_hash in (
       select location_hash from sign_in_location where user_id = $1 and location_hash <> $2
       order by seen_at desc offset ${maxLocations - 1} for update skip locked)`,
      ['sign_in_location'],
    ),
    [userId, locationHash],
  );

/** Deletes all sign-in locations of a user. */
export const deleteLocationsOf = (sql: Session, userId: string): Promise<unknown> =>
  sql.rows(sqlForWriting(['sign_in_location'], 'delete from sign_in_location where user_id = $1'), [userId]);

/** Deletes sign-in locations that were last used more than 90 days ago. */
export const deleteOldLocations = (sql: Session): Promise<unknown> =>
  sql.rows(sqlForWriting(['sign_in_location'], `delete from sign_in_location where seen_at < clock_timestamp() - ${lifetime}`));
