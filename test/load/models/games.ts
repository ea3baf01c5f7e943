import type { Outcome } from './linearizable.js';
import type { Model } from './model.js';
import type { Person } from './setting.js';

/** Players and waiting users by number, in order. Null after the game was canceled. */
type Places = { readonly players: readonly string[]; readonly waiting: readonly string[] } | null;

interface Subject {
  readonly game: string;
  readonly owner: Person;
  readonly hasWaitingList: boolean;
  readonly isManual: boolean;
  readonly people: readonly Person[];
}

const seats = 2;

type Open = NonNullable<Places>;

const shown = ({ players, waiting }: Open): string => `${players.join('')}|${waiting.join('')}`;

function join({ players, waiting }: Open, who: string, { hasWaitingList }: Subject): Open | null {
  if (players.includes(who)) return { players, waiting };
  const others = waiting.filter((each) => each !== who);
  if (players.length < seats) return { players: [...players, who], waiting: others };
  if (!hasWaitingList) return null;
  return waiting.includes(who) ? { players, waiting } : { players, waiting: [...waiting, who] };
}

function leave({ players, waiting }: Open, who: string, { isManual }: Subject): Open {
  const playing = players.filter((each) => each !== who);
  const others = waiting.filter((each) => each !== who);
  const moving = isManual ? [] : others.slice(0, Math.max(seats - playing.length, 0));
  return { players: [...playing, ...moving], waiting: others.slice(moving.length) };
}

/** All of them or none. */
const all = (places: Open, whom: readonly string[], change: (places: Open, who: string) => Open | null): Open | null =>
  whom.reduce<Open | null>((left, who) => left && change(left, who), places);

const calls = ['optIn', 'optIn', 'optOut', 'addGamePlayers', 'removeGamePlayers', 'cancelGame'] as const;

/** Places are given once, in the order of arrival. A full game rejects players or puts them on the waiting list. A canceled game no longer exists. */
export const games: Model<Places, Subject> = {
  name: 'games',
  // A cancellation ends the run, so it is drawn as rarely as all other commands together permit.
  kinds: 12,
  async begin(setting, what) {
    const owner = await setting.person();
    const people = await Promise.all(Array.from({ length: 4 }, () => setting.person()));
    const [hasWaitingList, isManual] = [what % 3 !== 0, what % 3 === 2];
    const given = { maxPlayers: seats, hasWaitingList, isWaitingListManual: isManual };
    const input = { ...given, showsPlayersToInvited: true, startsAt: '2040-01-01T09:00:00Z' };
    const { data, code } = await setting.ask(
      what,
      'mutation ($input: GameInput!) { game: scheduleGame(input: $input) { id } }',
      { input },
      { user: owner.user },
    );
    if (code) throw new Error(code);
    return { subject: { game: data.game.id, owner, people, hasWaitingList, isManual }, state: { players: [], waiting: [] } };
  },
  command(setting, subject, { kind, who, what, process }) {
    const { game, owner, people } = subject;
    const call = kind === 11 ? 'cancelGame' : (calls[kind % 5] ?? 'optIn');
    const isMany = call.endsWith('Players');
    const whom = isMany ? [...new Set([who, (who + what) % 4])].map(String) : [String(who)];
    const args = isMany ? 'id: $game, input: { userIds: $ids }' : call === 'cancelGame' ? 'id: $game' : 'gameId: $game';
    const heads = isMany ? '$game: ID!, $ids: [ID!]!' : '$game: ID!';
    const number = (id: string) => people.findIndex((person) => person.id === id);
    const ids = whom.map((each) => people[Number(each)]?.id);
    const by = isMany || call === 'cancelGame' ? owner : people[who];
    return {
      title: `${process}: ${call} ${whom}`,
      async send() {
        const query = `mutation (${heads}) { game: ${call}(${args}) { playerIds waitingIds } }`;
        const { data, code } = await setting.ask(process, query, isMany ? { game, ids } : { game }, { user: by?.user });
        return code || shown({ players: data.game.playerIds.map(number), waiting: data.game.waitingIds.map(number) });
      },
      outcomes(state): Outcome<Places>[] {
        if (!state) return [{ result: 'NOT_FOUND', next: state }];
        if (call === 'cancelGame') return [{ result: shown(state), next: null }];
        const isLeaving = call === 'optOut' || call === 'removeGamePlayers';
        const next = all(state, whom, (places, each) => (isLeaving ? leave(places, each, subject) : join(places, each, subject)));
        return next ? [{ result: shown(next), next }] : [{ result: 'CONFLICT', next: state }];
      },
    };
  },
  look: (setting, { game, people, owner }, process) => ({
    title: 'places',
    async send() {
      const number = (id: string) => people.findIndex((person) => person.id === id);
      const query = 'query ($game: ID!) { game(id: $game) { playerIds waitingIds playerCount waitingCount } }';
      const { data, code } = await setting.ask(process, query, { game }, { user: owner.user });
      if (code || !data.game) return code || 'none';
      const { playerIds, waitingIds, playerCount, waitingCount } = data.game;
      return `${shown({ players: playerIds.map(number), waiting: waitingIds.map(number) })} ${playerCount}+${waitingCount}`;
    },
    outcomes: (state) => [
      { result: state ? `${shown(state)} ${state.players.length}+${state.waiting.length}` : 'none', next: state },
    ],
  }),
};
