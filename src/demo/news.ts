import type { Faker } from '@faker-js/faker';
import slugify from '@sindresorhus/slugify';
import { NewsItem } from '../modules/news/news-item.js';
import { NewsOutlet } from '../modules/news/news-outlet.js';
import type { DemoContext } from './context.js';
import type { RecordDraft } from './draft.js';
import { wellKnown } from './well-known.js';

const outletNames = [
  'Paddle Weekly',
  'The Kitchen Line',
  'Third Shot Magazine',
  'Court Report',
  'Dink Daily',
  'Baseline Radio',
  'The Old Net',
];

interface Story {
  title: string;
  description: string;
  categoryIds: string[];
}

const newsStory = (title: string, description: string, ...categoryIds: string[]): Story => ({ title, description, categoryIds });

/** Templates of news with placeholders for a name, a tournament, a club and a city. */
const stories: readonly ((name: string, tournament: string, club: string, city: string) => Story)[] = [
  (name, tournament) =>
    newsStory(
      `${name} saves two match points to win the ${tournament}`,
      'An hour and forty minutes, and every rally counted.',
      '1',
      '2',
    ),
  (_, tournament) =>
    newsStory(`Registration opens for the ${tournament}`, 'Early entries get the lower fee until the end of the month.', '1'),
  (_, tournament) => newsStory(`Five players to watch at the ${tournament}`, 'Two of them have never played a final.', '1', '2'),
  (name) =>
    newsStory(`${name}: “I learned to wait for the third shot”`, 'A talk about patience, travel and a wooden paddle.', '2'),
  (name) => newsStory(`${name} climbs into the top ten`, 'Three good months have changed the rankings.', '3', '2'),
  (_, tournament) =>
    newsStory(`What the ${tournament} means for the rankings`, 'Points are counted for a year: we did the sums.', '3', '1'),
  (_name, _tournament, club) =>
    newsStory(`${club} opens six new courts`, 'With lights, a roof over two of them, and a stringing room.', '5'),
  (_name, _tournament, club) =>
    newsStory(`How ${club} doubled its members`, 'Open evenings, loaned paddles and no dress code.', '5', '4'),
  (_name, _tournament, _club, city) =>
    newsStory(`${city} starts a winter league`, 'Twelve teams play indoors from November to March.', '4'),
  (_name, _tournament, _club, city) =>
    newsStory(`A guide to the public courts of ${city}`, 'Where to play without a membership, and when.', '5'),
  (_name, _tournament, _club, city) =>
    newsStory(`Referee course in ${city} is fully booked`, 'A second one follows in spring.', '7'),
  (name) =>
    newsStory(`Clinic with ${name}: resets under pressure`, 'Four drills for players who are pushed back too often.', '8', '2'),
  (_name, tournament) =>
    newsStory(`Rule changes that apply from the ${tournament} on`, 'Serves, line calls and time-outs: the short version.', '7'),
  (_name, _tournament, _club, city) =>
    newsStory(`Carbon or composite? ${city} coaches test twelve paddles`, 'The winner was not the dearest one.', '6'),
  (_name, tournament) =>
    newsStory(
      `Weather delays the first day of the ${tournament}`,
      'Matches move to the afternoon; spectators keep their tickets.',
      '1',
      '15',
    ),
];

const sentences = [
  'The stands were full long before the first serve.',
  'Nobody on the committee had expected such numbers.',
  'Most of the points were decided at the kitchen line.',
  'Entries from nine states and two other countries came in within a day.',
  'The wind made lobs a gamble, and few tried one twice.',
  'Volunteers had swept the courts since six in the morning.',
  'A longer version of this story appears in the next issue.',
  'The organisers thank everybody who lent a paddle, a chair or a hand.',
  'Players can follow scores and court assignments in the app.',
  'Coaches agree: the return of serve is worth an hour of practice a week.',
  'Whoever could not get a ticket will find the final on the stream.',
  'The next date is set, and the list of those who want to come is growing.',
];

/** A text of three paragraphs with three sentences each. */
const paragraphs = (faker: Faker): string[] =>
  faker.helpers.multiple(() => faker.helpers.arrayElements(sentences, 3).join(' '), { count: 3 });

/** Inserts 60 news items of seven outlets: published, on the home page, featured, planned and archived. */
export async function insertNews({ faker, insert, day, players, tournaments, clubs, user, admin }: DemoContext): Promise<void> {
  const outlets = outletNames.map((title, index) => ({
    id: wellKnown('demo-outlet', index, faker.string.uuid()),
    title,
    logoUrl: `https://courtside.test/outlets/${slugify(title)}.png`,
    isEnabled: index < outletNames.length - 1,
    archivedAt: index < outletNames.length - 1 ? null : day(-200),
  }));
  const pickOne = faker.helpers.arrayElement;
  const slugs = new Set<string>();

  function recentStory(number: number): Story {
    const story = stories[number % stories.length] ?? pickOne(stories);
    for (;;) {
      const { firstName, lastName } = pickOne(players);
      const newsText = story(
        `${firstName} ${lastName}`,
        pickOne(tournaments).title,
        pickOne(clubs).title,
        pickOne(clubs).homeCity.city,
      );
      if (!slugs.has(slugify(newsText.title))) {
        slugs.add(slugify(newsText.title));
        return newsText;
      }
    }
  }

  const items = Array.from({ length: 60 }, (_, number): RecordDraft<NewsItem> => {
    const { title, description, categoryIds } = recentStory(number);
    const slug = slugify(title);
    const isPlanned = number >= 54;
    const daysUntilPublication = isPlanned ? faker.number.int({ min: 2, max: 20 }) : 1 - Math.ceil((number + 1) * 3);
    const publishedAt = day(daysUntilPublication, faker.number.int({ min: 6, max: 18 }));
    const isArchived = !isPlanned && number >= 46;
    const author = number % 9 === 0 ? user : pickOne(players);
    const image = `https://courtside.test/news/${slug}`;
    const authorName = `${admin.firstName} ${admin.lastName}`;
    return {
      id: number === 0 ? 'demo-news' : faker.string.uuid(),
      slug: wellKnown('demo-news', number, slug),
      title,
      homepageHeadline: title,
      description,
      content: [description, ...paragraphs(faker)].map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
      image: { url: `${image}.jpg`, thumbnailUrl: `${image}-small.jpg`, smallCardUrl: `${image}-card.jpg`, altText: description },
      links: {
        facebook: `https://www.facebook.com/sharer/sharer.php?u=https://courtside.test/news/${slug}`,
        twitter: `https://twitter.com/intent/tweet?url=https://courtside.test/news/${slug}`,
        details: `https://courtside.test/news/${slug}`,
      },
      metaTitle: title,
      metaDescription: description,
      authorName: `${author.firstName} ${author.lastName}`,
      authorId: author.id,
      outletId: pickOne(outlets).id,
      categoryIds,
      siteSchedule: { from: publishedAt, until: number % 7 === 6 ? day(daysUntilPublication + 400) : null },
      homepageSchedule: number < 12 ? { from: publishedAt, until: day(daysUntilPublication + 60) } : {},
      featuredSchedule: number < 4 ? { from: publishedAt, until: day(daysUntilPublication + 30) } : {},
      publishedAt,
      archivedAt: isArchived ? day(-10) : null,
      platformStatus: isArchived ? 'ARCHIVED_NEWS_STATUS' : isPlanned ? 'INACTIVE_NEWS_STATUS' : 'ACTIVE_NEWS_STATUS',
      createdAt: day(Math.min(daysUntilPublication, 0) - 1, faker.number.int({ min: 6, max: 18 })),
      createdBy: authorName,
      archivedBy: isArchived ? authorName : null,
    };
  });
  await insert(NewsOutlet, outlets);
  await insert(NewsItem, items);
}
