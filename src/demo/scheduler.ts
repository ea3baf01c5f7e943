import { DateTime } from 'luxon';
import { Game } from '../modules/scheduler/games/game.js';
import { GameGroup } from '../modules/scheduler/groups/game-group.js';
import { createOccurrences } from '../modules/scheduler/occurrences/make-occurrences.js';
import type { DemoClub, DemoContext, DemoUser, DraftWith } from './context.js';
import { copyPlayersToOccurrences, type RecordDraft } from './insert-sql.js';
import { locationOf } from './places.js';

const kinds = ['singles', 'doubles', 'skinny', 'drills', 'any'] as const;
const genders = ['men', 'women', 'any'] as const;
/** Returns the first words of a game title, which depend on the start hour. */
const timeOfDay = (hour: number) =>
  hour < 10 ? 'Early Bird' : hour < 14 ? 'Lunch Break' : hour < 17 ? 'Afternoon' : 'After Work';
const names = [
  'Dink Society',
  'Kitchen Club',
  'Third Shot Crew',
  'Net Results',
  'Sunday Smashers',
  'Paddle Pals',
  'Rally Club',
  'Open Court',
];

type DemoGroup = DraftWith<GameGroup, 'id' | 'title' | 'ownerId'> & { club: DemoClub };

/** Returns the local time at an instant, formatted as if it were UTC. Platforms send local times in this format. */
const localOf = (instant: string, zone: string) =>
  DateTime.fromISO(instant, { zone }).setZone('utc', { keepLocalTime: true }).toISO();

/**
 * Inserts eight groups and 80 games. The games start between a week ago and four weeks from now. Players live in the city of the club.
 * Every fifth game repeats weekly.
 */
export async function insertScheduler({ sql, faker, insert, day, clubs, players, user, now }: DemoContext): Promise<void> {
  const playersByCity = Map.groupBy(players, ({ homeCity }) => homeCity.city);
  const playersNear = (club: DemoClub, count: number): DemoUser[] =>
    faker.helpers.arrayElements(playersByCity.get(club.homeCity.city) ?? players, count);
  const localClubs = clubs.filter(({ homeCity }) => homeCity.city === user.homeCity.city);

  const groups = names.map((name, number): DemoGroup => {
    const club = faker.helpers.arrayElement(number < 3 ? localClubs : clubs);
    return {
      id: number === 0 ? 'demo-group' : faker.string.uuid(),
      title: `${club.homeCity.city} ${name}`,
      minSkill: 3,
      maxSkill: 4.5,
      imageUrl: `https://courtside.test/groups/${number + 1}.png`,
      description: `We play at ${club.title} and welcome new players.`,
      isPrivate: number % 3 === 2,
      allowsPlayerInvites: true,
      showsAdmins: number % 2 === 0,
      ownerId: number === 0 ? user.id : (playersNear(club, 1)[0]?.id ?? user.id),
      createdAt: day(-faker.number.int({ min: 30, max: 300 }), 12),
      club,
    };
  });

  const createGame = (number: number): RecordDraft<Game> => {
    const group = number % 4 === 0 ? faker.helpers.arrayElement(groups) : null;
    const club = group?.club ?? faker.helpers.arrayElement(number < 30 ? localClubs : clubs);
    const { timeZone } = club.homeCity;
    const startsIn = faker.number.int({ min: -7, max: 28 });
    const hour = faker.number.int({ min: 7, max: 19 });
    const [startOfDay, startsAt, endsAt] = [
      day(startsIn, 0, timeZone),
      day(startsIn, hour, timeZone),
      day(startsIn, hour + 2, timeZone),
    ];
    const kind = faker.helpers.arrayElement(kinds);
    const gender = faker.helpers.arrayElement(genders);
    const lowestSkill = faker.number.int({ min: 5, max: 8 }) / 2;
    const [owner = user, ...others] = playersNear(club, faker.number.int({ min: 3, max: 9 }));
    const maxPlayers = kind === 'singles' || kind === 'skinny' ? 2 : faker.helpers.arrayElement([4, 8]);
    // The demo user plays in some games, and is last on the waiting list of other games.
    const playerIds = [...new Set([...(number % 6 === 1 ? [user] : []), ...others, ...(number % 6 === 2 ? [user] : [])])].map(
      ({ id }) => id,
    );
    const repeats = number % 5 === 0 ? 'WEEKLY' : null;
    return {
      id: number === 0 ? 'demo-game' : faker.string.uuid(),
      ownerId: number % 10 === 0 ? user.id : owner.id,
      courtId: `courts-of-${club.slug}`,
      location: locationOf(club.homeCity, club.title),
      title: `${timeOfDay(hour)} ${kind === 'any' ? 'Open Play' : kind.charAt(0).toUpperCase() + kind.slice(1)}`,
      description: `Meet at the front desk of ${club.title}. Bring water and your own paddle.`,
      day: startOfDay,
      startsAt,
      endsAt,
      localDayRaw: localOf(startOfDay, timeZone),
      localStartsAt: localOf(startsAt, timeZone),
      localEndsAt: localOf(endsAt, timeZone),
      timeZone,
      timeZoneAbbreviation: DateTime.fromISO(startsAt, { zone: timeZone }).setLocale('en').toFormat('ZZZZ'),
      utcOffset: DateTime.fromISO(startsAt, { zone: timeZone }).offset * 60,
      isRepeated: repeats !== null,
      repeats,
      groupId: group?.id ?? null,
      types: { [kind]: true },
      skill: { from: lowestSkill, to: lowestSkill + 1, isIgnored: number % 7 === 0 },
      age: { from: 18, to: 99 },
      genders: { [gender]: true },
      isPartnersOnly: kind === 'doubles' && number % 8 === 3,
      minPlayers: 2,
      maxPlayers,
      totalPlayers: maxPlayers,
      hasWaitingList: true,
      isInviteOnly: number % 9 === 4,
      showsPlayersToInvited: true,
      allowsPlayerNotes: true,
      isWaiverAccepted: true,
      playerIds: playerIds.slice(0, maxPlayers),
      waitingIds: playerIds.slice(maxPlayers),
      invitedIds: [...(number % 9 === 4 ? [user] : []), ...playersNear(club, 2)].map(({ id }) => id),
      createdAt: new Date(
        Math.min(now.getTime(), Date.parse(startsAt)) - faker.number.int({ min: 1, max: 240 }) * 3_600_000,
      ).toISOString(),
    };
  };

  await insert(GameGroup, groups);
  const games = Array.from({ length: 80 }, (_, number) => createGame(number));
  await insert(Game, games);
  await createOccurrences(
    sql,
    games.flatMap(({ id }) => id ?? []),
    now,
  );
  // Copies the players of each weekly game to all its occurrences, so that future games have players.
  await copyPlayersToOccurrences(sql);
}
