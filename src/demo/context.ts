import { en, Faker } from '@faker-js/faker';
import { IANAZone } from 'luxon';
import type { RecordClass } from '../kernel/declare/meta.js';
import type { Session } from '../kernel/session.js';
import type { Platform } from '../modules/accounts/platforms/platform.js';
import type { User } from '../modules/accounts/users/user.js';
import type { Club } from '../modules/leagues/club.js';
import type { EventRegistration } from '../modules/tournaments/entries/event-registration.js';
import type { Registration } from '../modules/tournaments/entries/registration.js';
import type { Team } from '../modules/tournaments/players/team.js';
import type { Tournament } from '../modules/tournaments/tournament.js';
import type { TournamentEvent } from '../modules/tournaments/tournament-event.js';
import { insertAll, type RecordDraft } from './insert-sql.js';
import type { City } from './places.js';

/** Record draft in which the fields `Set` are required and not null. */
export type DraftWith<T, Set extends keyof T> = RecordDraft<T> & { [K in Set]-?: NonNullable<T[K]> };

export interface DemoUser
  extends DraftWith<
    User,
    'id' | 'email' | 'firstName' | 'lastName' | 'slug' | 'dateOfBirth' | 'city' | 'countryId' | 'stateId' | 'createdAt'
  > {
  gender: 'F' | 'M';
  homeCity: City;
  /** Player rating from 2.5 to 6. */
  rating: number;
}

export interface DemoClub extends DraftWith<Club, 'id' | 'title' | 'slug'> {
  homeCity: City;
}

export interface DemoTournament
  extends DraftWith<Tournament, 'id' | 'title' | 'clubId' | 'startsAt' | 'endsAt' | 'timeZone' | 'currency' | 'createdAt'> {
  homeCity: City;
  /** First and last day, in days from today. Negative in the past. */
  startsIn: number;
  endsIn: number;
}

export interface DemoEvent
  extends DraftWith<
    TournamentEvent,
    'id' | 'title' | 'tournamentId' | 'formatId' | 'playerGroupId' | 'bracketLevelId' | 'startsAt'
  > {
  tournament: DemoTournament;
}

export interface DemoTeam extends DraftWith<Team, 'id' | 'playerOneId' | 'eventId' | 'tournamentId' | 'ranking'> {
  event: DemoEvent;
  /** One player in singles, two in doubles. */
  players: readonly DemoUser[];
}

/** Functions for creating demo data. */
export interface DemoTools {
  readonly sql: Session;
  /** Random generator with a fixed seed. Demo data that is created on different days differs only in its dates. */
  readonly faker: Faker;
  /** Reference time of all dates in the demo data. */
  readonly now: Date;
  /** Returns the instant at an hour of a day in a time zone, in ISO 8601 format. `days` counts from today. Default: midnight UTC. */
  day(days: number, hour?: number, timeZone?: string): string;
  /** Inserts rows in one statement. Properties that are not fields of the record are ignored. */
  insert<T extends object>(record: RecordClass<T>, rows: readonly RecordDraft<T>[]): Promise<void>;
}

export interface DemoPeople {
  /** Platform of `demo.platformToken`. */
  platform: DraftWith<Platform, 'id' | 'title'>;
  /** User of `demo.userToken`: a player from Austin with past and upcoming tournaments. */
  user: DemoUser;
  /** Super admin of `demo.adminToken`. */
  admin: DemoUser;
  /** All people: players, user and admin. */
  users: DemoUser[];
  /** All players, including the user. */
  players: DemoUser[];
}

/** Demo data that the completed steps have created. */
export interface DemoContext extends DemoTools, DemoPeople {
  clubs: DemoClub[];
  tournaments: DemoTournament[];
  events: DemoEvent[];
  teams: DemoTeam[];
  registrations: DraftWith<Registration, 'id' | 'tournamentId' | 'userId'>[];
  eventRegistrations: DraftWith<EventRegistration, 'id' | 'registrationId' | 'eventId' | 'teamId' | 'userId'>[];
}

/** Creates the tools. Days are relative to `now`. */
export function createTools(sql: Session, now: Date): DemoTools {
  const faker = new Faker({ locale: en, seed: 2026 });
  faker.setDefaultRefDate(now);
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return {
    sql,
    faker,
    now,
    day(days, hour = 0, timeZone) {
      const timestamp = midnight + days * 86_400_000 + hour * 3_600_000;
      return new Date(timeZone ? timestamp - IANAZone.create(timeZone).offset(timestamp) * 60_000 : timestamp).toISOString();
    },
    insert: (record, rows) => insertAll(sql, record, rows),
  };
}

/** Returns a fixed ID for the first record, which examples use, and a random ID for other records. */
export const fixedOrRandomId = (id: string, index: number, randomId: string): string => (index === 0 ? id : randomId);

/** Whether the tournament that a team plays in has ended. */
export const isTournamentFinished = ({ event }: DemoTeam): boolean => event.tournament.endsIn < 0;
