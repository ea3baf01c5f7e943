import { randomUUID } from 'node:crypto';
import type { Outcome } from './linearizable.js';
import type { Model } from './model.js';
import type { Person } from './setting.js';

/** Reactions, keyed by user number. */
type Likes = Readonly<Record<number, string>>;

interface Subject {
  readonly news: string;
  readonly people: readonly Person[];
}

const kinds = ['LIKE', 'FIRE', 'HEART'];

const counted = (likes: Likes): string => kinds.map((kind) => Object.values(likes).filter((each) => each === kind).length).join();

const without = (likes: Likes, user: number): Likes =>
  Object.fromEntries(Object.entries(likes).filter(([each]) => Number(each) !== user));

/**
 * Model of reactions. A user has one reaction per item. A new reaction replaces the previous reaction, and the counts match the reactions.
 */
export const likes: Model<Likes, Subject> = {
  name: 'likes',
  kinds: 2,
  async begin(setting) {
    const news = randomUUID();
    await setting.rows(`insert into news_item (id, title) values ($1, 'Open in Austin')`, [news]);
    return { subject: { news, people: [await setting.person(), await setting.person()] }, state: {} };
  },
  command(setting, { news, people }, { kind, user: userIndex, value, process }) {
    const user = userIndex % people.length;
    const reaction = kinds[value % kinds.length] ?? 'LIKE';
    const isTaken = kind === 1;
    const call = isTaken ? 'unreact(newsItemId: $news)' : `react(newsItemId: $news, kind: ${reaction})`;
    return {
      title: `${process}: user ${user}: ${isTaken ? 'unreact' : reaction}`,
      async send() {
        const { data, code } = await setting.send(
          process,
          `mutation ($news: ID!) { done: ${call} { kind } }`,
          { news },
          { user: people[user]?.user },
        );
        return code || (data.done?.kind ?? 'nothing');
      },
      outcomes: (state): Outcome<Likes>[] =>
        isTaken
          ? [{ result: state[user] ?? 'nothing', next: without(state, user) }]
          : [{ result: reaction, next: { ...state, [user]: reaction } }],
    };
  },
  readState: (setting, { news }, process) => ({
    title: 'counts',
    async send() {
      const { data, code } = await setting.send(
        process,
        'query ($news: ID!) { list: newsReactions(newsItemId: $news) { totalCount counts { kind count } } }',
        { news },
      );
      if (code) return code;
      const countByKind = new Map(data.list.counts.map(({ kind, count }: { kind: string; count: number }) => [kind, count]));
      return `${data.list.totalCount}: ${kinds.map((kind) => countByKind.get(kind)).join()}`;
    },
    outcomes: (state) => [{ result: `${Object.keys(state).length}: ${counted(state)}`, next: state }],
  }),
};
