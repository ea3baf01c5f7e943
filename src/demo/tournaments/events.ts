import { TournamentEvent } from '../../modules/tournaments/tournament-event.js';
import type { DemoContext, DemoEvent, DemoTournament, DemoUser } from '../context.js';

/** Player group and genders of the players in an event, keyed by the title of its format. */
export const disciplines = {
  "Men's Singles": { group: 'Men', genders: ['M'] },
  "Women's Singles": { group: 'Women', genders: ['F'] },
  "Men's Doubles": { group: 'Men', genders: ['M', 'M'] },
  "Women's Doubles": { group: 'Women', genders: ['F', 'F'] },
  'Mixed Doubles': { group: 'Mixed', genders: ['F', 'M'] },
} as const;

/** Bracket levels in ascending order. A player belongs to the first level where `below` is greater than the rating of the player. */
const levels = [
  { title: '3.0', below: 3.25 },
  { title: '3.5', below: 3.75 },
  { title: '4.0', below: 4.25 },
  { title: '4.5', below: 4.75 },
  { title: '5.0 and above', below: Number.POSITIVE_INFINITY },
];

type Discipline = keyof typeof disciplines;
/** An event, with the discipline and the level of its players. */
export interface EventDraft {
  event: DemoEvent;
  discipline: Discipline;
  level: string;
}

/** Returns the title of the bracket level of a player. */
export const levelOf = ({ rating }: DemoUser): string => levels.find(({ below }) => rating < below)?.title ?? '';

/** Inserts four or five events per tournament, 1,700 in total, with different disciplines and levels. */
export async function insertEvents(context: DemoContext): Promise<EventDraft[]> {
  const { faker, sql, insert, day } = context;
  const idsOf = async (table: 'format' | 'player_group' | 'bracket_level') => {
    const rows = await sql.run(sql.db.selectFrom(table).select(['id', 'title']));
    return new Map(rows.map(({ id, title }) => [title, id]));
  };
  const [formats, groups, brackets] = [await idsOf('format'), await idsOf('player_group'), await idsOf('bracket_level')];
  const combinations = Object.keys(disciplines).flatMap((title) =>
    levels.map((level) => ({ discipline: title as Discipline, level: level.title })),
  );

  const createDraw = (tournament: DemoTournament, discipline: Discipline, level: string): EventDraft => {
    const event: DemoEvent = {
      id: faker.string.uuid(),
      tournamentId: tournament.id,
      title: `${discipline} ${level}`,
      formatId: formats.get(discipline) ?? '',
      playerGroupId: groups.get(disciplines[discipline].group) ?? '',
      bracketLevelId: brackets.get(level) ?? '',
      startsAt: day(
        faker.number.int({ min: tournament.startsIn, max: tournament.endsIn }),
        faker.number.int({ min: 8, max: 14 }),
        tournament.timeZone,
      ),
      fee: tournament.chargesPerEvent ? String(faker.number.int({ min: 2, max: 8 }) * 5) : '0',
      maxTeams: faker.helpers.arrayElement([16, 24, 32]),
      isCanceled: tournament.isCanceled ?? false,
      createdAt: tournament.createdAt,
      tournament,
    };
    return { event, discipline, level };
  };
  const eventDrafts = context.tournaments.flatMap((tournament, index) => {
    const chosenCombinations = faker.helpers.arrayElements(combinations, index % 4 === 0 ? 5 : 4);
    return chosenCombinations.map(({ discipline, level }) => createDraw(tournament, discipline, level));
  });
  const [flagship] = context.tournaments;
  const [firstDraw] = eventDrafts;
  if (flagship && firstDraw) eventDrafts[0] = createDraw(flagship, 'Mixed Doubles', '4.0');
  // The examples use this event, because finished events have ranking points.
  const latestPastDraw = eventDrafts.findLast(({ event: { tournament } }) => tournament.endsIn < 0);
  if (latestPastDraw) latestPastDraw.event.id = 'demo-played-event';
  for (const [index, { event }] of eventDrafts.entries()) {
    if (index === 0) event.id = 'demo-event';
    context.events.push(event);
  }
  await insert(TournamentEvent, context.events);
  return eventDrafts;
}
