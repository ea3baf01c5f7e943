import { en, Faker } from '@faker-js/faker';
import { IANAZone } from 'luxon';
import type { RecordClass } from '../kernel/declare/meta.js';
import type { Session } from '../kernel/session.js';
import type { Platform } from '../modules/accounts/platform.js';
import type { User } from '../modules/accounts/user.js';
import type { Club } from '../modules/leagues/club.js';
import type { EventRegistration } from '../modules/tournaments/event-registration.js';
import type { Registration } from '../modules/tournaments/registration.js';
import type { Team } from '../modules/tournaments/team.js';
import type { Tournament } from '../modules/tournaments/tournament.js';
import type { TournamentEvent } from '../modules/tournaments/tournament-event.js';
import type { RecordDraft } from './draft.js';
import { insertAll } from './insert-sql.js';
import type { City } from './places.js';

/** A row of the season: the named fields are set for certain, the others as its draft has them. */
export type Made<T, Set extends keyof T> = RecordDraft<T> & { [K in Set]-?: NonNullable<T[K]> };

export interface DemoUser
  extends Made<
    User,
    'id' | 'email' | 'firstName' | 'lastName' | 'slug' | 'dateOfBirth' | 'city' | 'countryId' | 'stateId' | 'createdAt'
  > {
  gender: 'F' | 'M';
  /** Where the person lives. */
  place: City;
  /** Rating as a player, 2.5 to 6. */
  rating: number;
}

export interface DemoClub extends Made<Club, 'id' | 'title' | 'slug'> {
  place: City;
}

export interface DemoTournament
  extends Made<Tournament, 'id' | 'title' | 'clubId' | 'startsAt' | 'endsAt' | 'timeZone' | 'currency' | 'createdAt'> {
  place: City;
  /** Days from today to its first and last day of play, negative for the past. */
  startsIn: number;
  endsIn: number;
}

export interface DemoEvent
  extends Made<TournamentEvent, 'id' | 'title' | 'tournamentId' | 'formatId' | 'playerGroupId' | 'bracketLevelId' | 'startsAt'> {
  tournament: DemoTournament;
}

export interface DemoTeam extends Made<Team, 'id' | 'playerOneId' | 'eventId' | 'tournamentId' | 'ranking'> {
  event: DemoEvent;
  /** One in singles, two in doubles. */
  players: readonly DemoUser[];
}

/** What every file of the season works with. */
export interface Tools {
  readonly sql: Session;
  /** With a fixed seed: a season differs from another one by its dates only. */
  readonly faker: Faker;
  /** The moment to which all dates are relative. */
  readonly now: Date;
  /** An instant that many days from today, at an hour of the day in a time zone, or in UTC. */
  day(days: number, hour?: number, timeZone?: string): string;
  /** Inserts rows in one statement; what they hold beyond the record's fields is left out. */
  insert<T extends object>(record: RecordClass<T>, rows: readonly RecordDraft<T>[]): Promise<void>;
}

export interface People {
  /** The platform of `demo.platformToken`. */
  platform: Made<Platform, 'id' | 'title'>;
  /** The user of `demo.userToken`: a player from Austin with a season behind and ahead of her. */
  user: DemoUser;
  /** The super admin of `demo.adminToken`. */
  admin: DemoUser;
  /** Everybody: players, user and admin. */
  users: DemoUser[];
  /** Those who play, the user among them. */
  players: DemoUser[];
}

/** The season as far as it has been made: each file finds here what the files before it have made. */
export interface World extends Tools, People {
  clubs: DemoClub[];
  tournaments: DemoTournament[];
  events: DemoEvent[];
  teams: DemoTeam[];
  registrations: Made<Registration, 'id' | 'tournamentId' | 'userId'>[];
  eventRegistrations: Made<EventRegistration, 'id' | 'registrationId' | 'eventId' | 'teamId' | 'userId'>[];
}

/** What a season is made with: the same random numbers each time, and days counted from now. */
export function createTools(sql: Session, now: Date): Tools {
  const faker = new Faker({ locale: en, seed: 2026 });
  faker.setDefaultRefDate(now);
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return {
    sql,
    faker,
    now,
    day(days, hour = 0, timeZone) {
      const clock = midnight + days * 86_400_000 + hour * 3_600_000;
      return new Date(timeZone ? clock - IANAZone.create(timeZone).offset(clock) * 60_000 : clock).toISOString();
    },
    insert: (record, rows) => insertAll(sql, record, rows),
  };
}
