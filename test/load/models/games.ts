import type { Outcome } from './linearizable.js';
import type { Model } from './model.js';
import type { Person } from './setting.js';

/** Numbers of the players and the waiting users, in order. Null once the game is canceled. */
type Places = { readonly players: readonly string[]; readonly waiting: readonly string[] } | null;

interface Subject {
  readonly game: string;
  readonly owner: Person;
  readonly hasWaitingList: boolean;
  readonly isManual: boolean;
  readonly people: readonly Person[];
}

const seats = 2;

type OpenGame = NonNullable<Places>;

const shown = ({ players, waiting }: OpenGame): string => `${players.join('')}|${waiting.join('')}`;

function join({ players, waiting }: OpenGame, user: string, { hasWaitingList }: Subject): OpenGame | null {
  if (players.includes(user)) return { players, waiting };
  const otherWaiting = waiting.filter((each) => each !== user);
  if (players.length < seats) return { players: [...players, user], waiting: otherWaiting };
  if (!hasWaitingList) return null;
  return waiting.includes(user) ? { players, waiting } : { players, waiting: [...waiting, user] };
}

function leave({ players, waiting }: OpenGame, user: string, { isManual }: Subject): OpenGame {
  const playing = players.filter((each) => each !== user);
  const otherWaiting = waiting.filter((each) => each !== user);
  const moving = isManual ? [] : otherWaiting.slice(0, Math.max(seats - playing.length, 0));
  return { players: [...playing, ...moving], waiting: otherWaiting.slice(moving.length) };
}

/** Applies a change for each user. Returns null if the change is impossible for one of the users. */
const all = (
  places: OpenGame,
  users: readonly string[],
  change: (places: OpenGame, user: string) => OpenGame | null,
): OpenGame | null => users.reduce<OpenGame | null>((game, user) => game && change(game, user), places);

const calls = ['optIn', 'optIn', 'optOut', 'addGamePlayers', 'removeGamePlayers', 'cancelGame'] as const;

/**
 * Model of games. Each place is assigned once, in the order of arrival. A full game rejects players or puts them on the waiting list. A
 * canceled game no longer exists.
 */
export const games: Model<Places, Subject> = {
  name: 'games',
  // Only one of the twelve kinds cancels the game, because all later commands of the run then return NOT_FOUND.
  kinds: 12,
  async begin(setting, variant) {
    const owner = await setting.person();
    const people = await Promise.all(Array.from({ length: 4 }, () => setting.person()));
    const [hasWaitingList, isManual] = [variant % 3 !== 0, variant % 3 === 2];
    const gameInput = { maxPlayers: seats, hasWaitingList, isWaitingListManual: isManual };
    const input = { ...gameInput, showsPlayersToInvited: true, startsAt: '2040-01-01T09:00:00Z' };
    const { data, code } = await setting.send(
      variant,
      'mutation ($input: GameInput!) { game: scheduleGame(input: $input) { id } }',
      { input },
      { user: owner.user },
    );
    if (code) throw new Error(code);
    return { subject: { game: data.game.id, owner, people, hasWaitingList, isManual }, state: { players: [], waiting: [] } };
  },
  command(setting, subject, { kind, user, value, process }) {
    const { game, owner, people } = subject;
    const call = kind === 11 ? 'cancelGame' : (calls[kind % 5] ?? 'optIn');
    const isMany = call.endsWith('Players');
    const users = isMany ? [...new Set([user, (user + value) % 4])].map(String) : [String(user)];
    const args = isMany ? 'id: $game, input: { userIds: $ids }' : call === 'cancelGame' ? 'id: $game' : 'gameId: $game';
    const heads = isMany ? '$game: ID!, $ids: [ID!]!' : '$game: ID!';
    const number = (id: string) => people.findIndex((person) => person.id === id);
    const ids = users.map((each) => people[Number(each)]?.id);
    const caller = isMany || call === 'cancelGame' ? owner : people[user];
    return {
      title: `${process}: ${call} ${users}`,
      async send() {
        const query = `mutation (${heads}) { game: ${call}(${args}) { playerIds waitingIds } }`;
        const { data, code } = await setting.send(process, query, isMany ? { game, ids } : { game }, { user: caller?.user });
        return code || shown({ players: data.game.playerIds.map(number), waiting: data.game.waitingIds.map(number) });
      },
      outcomes(state): Outcome<Places>[] {
        if (!state) return [{ result: 'NOT_FOUND', next: state }];
        if (call === 'cancelGame') return [{ result: shown(state), next: null }];
        const isLeaving = call === 'optOut' || call === 'removeGamePlayers';
        const next = all(state, users, (places, each) =>
          isLeaving ? leave(places, each, subject) : join(places, each, subject),
        );
        return next ? [{ result: shown(next), next }] : [{ result: 'CONFLICT', next: state }];
      },
    };
  },
  readState: (setting, { game, people, owner }, process) => ({
    title: 'places',
    async send() {
      const number = (id: string) => people.findIndex((person) => person.id === id);
      const query = 'query ($game: ID!) { game(id: $game) { playerIds waitingIds playerCount waitingCount } }';
      const { data, code } = await setting.send(process, query, { game }, { user: owner.user });
      if (code || !data.game) return code || 'none';
      const { playerIds, waitingIds, playerCount, waitingCount } = data.game;
      return `${shown({ players: playerIds.map(number), waiting: waitingIds.map(number) })} ${playerCount}+${waitingCount}`;
    },
    outcomes: (state) => [
      { result: state ? `${shown(state)} ${state.players.length}+${state.waiting.length}` : 'none', next: state },
    ],
  }),
};
