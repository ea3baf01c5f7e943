import type { Faker } from '@faker-js/faker';
import slugify from '@sindresorhus/slugify';
import { NewsItem } from '../modules/news/news-item.js';
import { NewsOutlet } from '../modules/news/news-outlet.js';
import { type DemoContext, fixedOrRandomId } from './context.js';
import type { RecordDraft } from './insert-sql.js';

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

/** Functions that create a story from the names of a player, a tournament, a club and a city. */
const stories: readonly ((name: string, tournament: string, club: string, city: string) => Story)[] = [
  (name, tournament) =>
    newsStory(`${name} saves two match points to win the ${tournament}`, 'The final lasted an hour and forty minutes.', '1', '2'),
  (_, tournament) =>
    newsStory(`Registration opens for the ${tournament}`, 'Players who register this month pay the reduced fee.', '1'),
  (_, tournament) => newsStory(`Five players to watch at the ${tournament}`, 'Two of them have never reached a final.', '1', '2'),
  (name) =>
    newsStory(`${name}: “I learned to wait for the third shot”`, 'An interview about patience, travel and a first paddle.', '2'),
  (name) => newsStory(`${name} climbs into the top ten`, 'Three strong months have changed the rankings.', '3', '2'),
  (_, tournament) =>
    newsStory(
      `What the ${tournament} means for the rankings`,
      'Points count for a year. We explain who can gain the most.',
      '3',
      '1',
    ),
  (_name, _tournament, club) =>
    newsStory(`${club} opens six new courts`, 'All courts have lights, and two of them have a roof.', '5'),
  (_name, _tournament, club) =>
    newsStory(`How ${club} doubled its membership`, 'Open evenings, rental paddles and no dress code.', '5', '4'),
  (_name, _tournament, _club, city) =>
    newsStory(`${city} starts a winter league`, 'Twelve teams play indoors from November to March.', '4'),
  (_name, _tournament, _club, city) =>
    newsStory(`A guide to the public courts of ${city}`, 'Where and when you can play without a membership.', '5'),
  (_name, _tournament, _club, city) =>
    newsStory(`Referee course in ${city} is fully booked`, 'A second course is planned for spring.', '7'),
  (name) => newsStory(`Clinic with ${name}: resets under pressure`, 'Four drills to neutralize fast shots.', '8', '2'),
  (_name, tournament) =>
    newsStory(`New rules take effect at the ${tournament}`, 'A summary of the changes to serves, line calls and timeouts.', '7'),
  (_name, _tournament, _club, city) =>
    newsStory(`Carbon or composite? ${city} coaches test twelve paddles`, 'The best paddle was not the most expensive one.', '6'),
  (_name, tournament) =>
    newsStory(
      `Weather delays the first day of the ${tournament}`,
      'Matches start in the afternoon. All tickets remain valid.',
      '1',
      '15',
    ),
];

const sentences = [
  'The stands were full an hour before the first serve.',
  'The organizers had expected fewer registrations.',
  'Most points were decided at the kitchen line.',
  'Players from nine states and two other countries registered on the first day.',
  'Strong wind made lobs risky.',
  'Volunteers prepared the courts from six in the morning.',
  'A longer version of this story will appear in the next issue.',
  'The organizers thank all volunteers.',
  'Players can follow scores and court assignments in the app.',
  'Coaches recommend an hour of return practice a week.',
  'Fans without a ticket can watch the final on the live stream.',
  'The next date has been announced, and registration opens soon.',
];

/** Creates three paragraphs with three sentences each. */
const paragraphs = (faker: Faker): string[] =>
  faker.helpers.multiple(() => faker.helpers.arrayElements(sentences, 3).join(' '), { count: 3 });

/** Inserts 60 news items from seven outlets. Some are featured or shown on the home page, others are planned or archived. */
export async function insertNews({ faker, insert, day, players, tournaments, clubs, user, admin }: DemoContext): Promise<void> {
  const outlets = outletNames.map((title, index) => ({
    id: fixedOrRandomId('demo-outlet', index, faker.string.uuid()),
    title,
    logoUrl: `https://courtside.test/outlets/${slugify(title)}.png`,
    isEnabled: index < outletNames.length - 1,
    archivedAt: index < outletNames.length - 1 ? null : day(-200),
  }));
  const pickOne = faker.helpers.arrayElement;
  const slugs = new Set<string>();

  function createStory(number: number): Story {
    const story = stories[number % stories.length] ?? pickOne(stories);
    for (;;) {
      const { firstName, lastName } = pickOne(players);
      const newStory = story(
        `${firstName} ${lastName}`,
        pickOne(tournaments).title,
        pickOne(clubs).title,
        pickOne(clubs).homeCity.city,
      );
      if (!slugs.has(slugify(newStory.title))) {
        slugs.add(slugify(newStory.title));
        return newStory;
      }
    }
  }

  const items = Array.from({ length: 60 }, (_, number): RecordDraft<NewsItem> => {
    const { title, description, categoryIds } = createStory(number);
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
      slug: fixedOrRandomId('demo-news', number, slug),
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
