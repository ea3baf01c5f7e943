import { Favorite } from '../modules/engagement/favorites/favorite.js';
import { Notification } from '../modules/engagement/notifications/notification.js';
import { typeIdByEvent } from '../modules/engagement/notifications/notification-event.js';
import { Reaction, reactionKinds } from '../modules/engagement/reactions/reaction.js';
import type { DemoContext, DemoUser } from './context.js';
import type { RecordDraft } from './insert-sql.js';

/** Loads the records of earlier steps that reactions, favorites and notifications refer to. */
const loadTargets = async ({ sql }: DemoContext) => ({
  news: await sql.run(
    sql.db
      .selectFrom('news_item')
      .select(({ fn }) => ['id', fn.coalesce('published_at', 'created_at').as('at')])
      .orderBy('id'),
  ),
  leagues: await sql.run(sql.db.selectFrom('league').select(['id', 'title']).orderBy('id')),
  games: await sql.run(
    sql.db
      .selectFrom('game as g')
      .innerJoin('app_user as u', 'u.id', 'g.owner_id')
      .select(['g.id', 'g.title', 'g.court_id as court', 'u.first_name', 'u.last_name'])
      .orderBy('g.id'),
  ),
  images: await sql.run(
    sql.db.selectFrom('user_image').select(['id', 'user_id as userId']).where('approval_state', '=', 'APPROVED').orderBy('id'),
  ),
});

type Targets = Awaited<ReturnType<typeof loadTargets>>;

/** Kinds of reactions with their weights. Likes are by far the most frequent. */
const kinds = reactionKinds.map((value, index) => ({ value, weight: index === 0 ? 40 : reactionKinds.length - index }));

/** Returns a random instant between `earliest` and now. */
const randomInstantAfter = ({ faker, now }: DemoContext, earliest: string): string =>
  faker.date.between({ from: Math.min(Date.parse(earliest), now.getTime() - 1000), to: now }).toISOString();

function createReactions(context: DemoContext, { news }: Targets): RecordDraft<Reaction>[] {
  const { faker, players, user } = context;
  return news.flatMap(({ id, at }, number) => {
    const fans = new Set(faker.helpers.arrayElements(players, faker.number.int({ min: 5, max: 45 })));
    if (number % 2 === 0 || id === 'demo-news') fans.add(user);
    return [...fans].map((fan) => ({
      id: faker.string.uuid(),
      userId: fan.id,
      newsItemId: id,
      kind: faker.helpers.weightedArrayElement(kinds),
      createdAt: randomInstantAfter(context, at),
    }));
  });
}

function createFavorites(context: DemoContext, { leagues, games }: Targets): RecordDraft<Favorite>[] {
  const { faker, players, user, tournaments, clubs, day } = context;
  const favoritesOf = (owner: DemoUser, count: number): RecordDraft<Favorite>[] => {
    // The favorites of a user are created one after another on one evening.
    const [days, hour] = [-faker.number.int({ min: 1, max: 90 }), faker.number.float({ min: 17, max: 22 })];
    return [
      ...faker.helpers.arrayElements(tournaments, count).map(({ id }) => ({ kind: 'TOURNAMENT' as const, subjectId: id })),
      ...faker.helpers.arrayElements(clubs, 1).map(({ id }) => ({ kind: 'CLUB' as const, subjectId: id })),
      ...faker.helpers.arrayElements(leagues, 1).map(({ id }) => ({ kind: 'LEAGUE' as const, subjectId: id })),
      ...faker.helpers.arrayElements(games, 1).flatMap(({ id, court }) => [
        { kind: 'GAME' as const, subjectId: id },
        { kind: 'COURT' as const, subjectId: court ?? '' },
      ]),
    ].map((favorite, index) => ({
      ...favorite,
      id: faker.string.uuid(),
      userId: owner.id,
      createdAt: day(days, hour + index / 1000),
    }));
  };
  const otherPlayers = faker.helpers.arrayElements(
    players.filter((player) => player !== user),
    200,
  );
  return [favoritesOf(user, 6), ...otherPlayers.map((owner) => favoritesOf(owner, 2))].flat();
}

function createNotifications(context: DemoContext, { leagues, games, images }: Targets): RecordDraft<Notification>[] {
  const { faker, players, user, tournaments, day } = context;
  const notificationFor = (reader: DemoUser): RecordDraft<Notification> => {
    const [tournament, league, game] = [tournaments, leagues, games].map((list) =>
      faker.helpers.arrayElement<{ id: string; title: string | null }>(list),
    );
    const host = games.find(({ id }) => id === game?.id);
    const newDates = {
      event: 'TOURNAMENT_DATES_CHANGED',
      subject: 'TOURNAMENT',
      id: tournament?.id,
      content: `${tournament?.title} has new dates.`,
    } as const;
    const image = images.find(({ userId }) => userId === reader.id);
    const template = faker.helpers.arrayElement([
      newDates,
      {
        event: 'LEAGUE_MESSAGE',
        subject: 'LEAGUE',
        id: league?.id,
        content: `${league?.title}: courts open at 6 p.m. this week.`,
      },
      {
        event: 'GAME_INVITATION',
        subject: 'GAME',
        id: game?.id,
        content: `${host?.first_name} ${host?.last_name} invites you to ${game?.title}.`,
      },
      image ? { event: 'APPROVAL_GIVEN', subject: 'USER_IMAGE', id: image.id, content: 'Your image was approved.' } : newDates,
    ] as const);
    const days = faker.number.int({ min: 2, max: 60 });
    return {
      id: faker.string.uuid(),
      typeId: typeIdByEvent[template.event],
      userId: reader.id,
      event: template.event,
      content: template.content,
      subjectKind: template.subject,
      subjectId: template.id,
      createdAt: day(-days, 15),
      readAt: faker.datatype.boolean(0.4) ? day(1 - days, 18) : null,
    };
  };
  const readers = [...Array.from({ length: 14 }, () => user), ...faker.helpers.arrayElements(players, 400)];
  return readers.map(notificationFor);
}

/** Inserts reactions to all news, favorites and notifications, including those of the demo user. */
export async function insertEngagement(context: DemoContext): Promise<void> {
  const targets = await loadTargets(context);
  await context.insert(Reaction, createReactions(context, targets));
  await context.insert(Favorite, createFavorites(context, targets));
  await context.insert(Notification, createNotifications(context, targets));
}
