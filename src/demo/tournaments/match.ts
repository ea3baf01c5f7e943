import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '../../kernel/declare/scalars/instant.js';
import { type Pools, Session } from '../../kernel/session.js';

/** IDs of the demo match, its prematch, its event and its tournament. */
const match = { id: 'demo-match', prematch: 'demo-match-prematch', event: 'demo-event', tournament: 'demo-tournament' };

/** Columns of the stages that a referee records before the games, in order. */
const stages = ['setup_started_at', 'players_on_court_at', 'warmup_started_at', 'coin_tossed_at', 'scoring_started_at'] as const;

const gameNumbers = [1, 2, 3];
const gameId = (number: number): string => `${match.id}-game-${number}`;

interface Side {
  readonly id: string;
  readonly player_one_id: string | null;
}
type Sides = readonly [Side, Side];

/** Returns the two teams of the match, the stronger team first. Returns null if a team was deleted. */
async function sidesOf(sql: Session): Promise<Sides | null> {
  const [one, two] = await sql.run(
    sql.db
      .selectFrom('team')
      .select(['id', 'player_one_id'])
      .where('event_id', '=', match.event)
      .where('tournament_id', '=', match.tournament)
      .orderBy('seed')
      .orderBy('id')
      .limit(2),
  );
  return one && two ? [one, two] : null;
}

/**
 * Returns the serving and receiving teams and their sides of the court in a game. The winner of the coin toss serves first in odd games.
 */
function sidesInGame([one, two]: Sides, number: number, winner: string) {
  const [serving, receiving] = (one.id === winner) === (number % 2 === 1) ? [one, two] : [two, one];
  return {
    serving_team_id: serving.id,
    receiving_team_id: receiving.id,
    left_team_id: serving.id,
    right_team_id: receiving.id,
    team_one_first_server_id: one.player_one_id,
    team_two_first_server_id: two.player_one_id,
  };
}

/** Inserts the rows of the match, with all its stages and games. Existing rows stay unchanged. */
export async function insertMatch(sql: Session): Promise<void> {
  const sides = await sidesOf(sql);
  if (!sides) return;
  const { db } = sql;
  const referee = await sql.first(
    db.selectFrom('tournament_referee').select('user_id').where('tournament_id', '=', match.tournament).orderBy('id').limit(1),
  );
  const games = gameNumbers.map((number) => ({
    id: gameId(number),
    match_id: match.id,
    game_number: number,
    ...sidesInGame(sides, number, sides[1].id),
  }));
  // The stages are five minutes apart, and the last one was five minutes ago.
  const stageAt = (index: number) => new Date(Date.now() - (stages.length - index) * 300_000).toISOString();
  await sql.run(
    db
      .insertInto('prematch')
      .values({
        id: match.prematch,
        match_id: match.id,
        court: 'Center Court',
        created_by_id: referee?.user_id ?? null,
        coin_toss_team_id: sides[1].id,
        ...Object.fromEntries(stages.map((name, index) => [name, stageAt(index)])),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  await sql.run(
    db
      .insertInto('pregame')
      .values(games)
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/**
 * Records the next event of the match. The match restarts after its last game. Returns false if it records nothing: the last event is less
 * than `intervalMs` old, another process is recording an event, or the match was deleted.
 */
export const recordNextEvent = (sql: Session, intervalMs: number): Promise<boolean> =>
  sql.transaction(async () => {
    const { db } = sql;
    const [prematch] = await sql.run(
      db.selectFrom('prematch').selectAll().where('id', '=', match.prematch).forUpdate().skipLocked(),
    );
    const sides = await sidesOf(sql);
    if (!prematch || !sides) return false;
    const games = await sql.run(db.selectFrom('pregame').selectAll().where('match_id', '=', match.id).orderBy('game_number'));
    const currentTime = now();
    const lastEventTime = Math.max(...[prematch, ...games].map(({ updated_at }) => Date.parse(updated_at)));
    if (Date.parse(currentTime) - lastEventTime < intervalMs) return false;

    const updatePrematch = (values: Partial<Record<(typeof stages)[number] | 'coin_toss_team_id', string | null>>) =>
      sql.run(
        db
          .updateTable('prematch')
          .set({ ...values, updated_at: currentTime })
          .where('id', '=', match.prematch),
      );
    const [one, two] = sides;
    // The winner of the coin toss alternates between the runs of the match.
    const winner = games[0]?.serving_team_id === one.id ? two.id : one.id;
    const timeOf = (name: (typeof stages)[number] | undefined) => Date.parse((name && prematch[name]) ?? '') || 0;
    // A stage with an earlier time than the stage before it is from the previous run, and has not happened yet in this run.
    const stage = stages.find((name, index) => timeOf(name) < timeOf(stages[index - 1]) || prematch[name] === null);
    const scoringStartedAt = prematch.scoring_started_at ?? '';
    const game = games.find(({ updated_at }) => Date.parse(updated_at) < Date.parse(scoringStartedAt));
    if (stage) await updatePrematch({ [stage]: currentTime, ...(stage === 'coin_tossed_at' && { coin_toss_team_id: winner }) });
    else if (game)
      await sql.run(
        db
          .updateTable('pregame')
          .set({ ...sidesInGame(sides, game.game_number ?? 1, prematch.coin_toss_team_id ?? one.id), updated_at: currentTime })
          .where('id', '=', game.id),
      );
    else await updatePrematch({ setup_started_at: currentTime });
    return true;
  });

/** Interval between two events of the match, in milliseconds. */
const eventIntervalMs = 1_500;

async function playNext(pools: Pools, isFirst: boolean): Promise<void> {
  const sql = new Session(pools, 'write');
  // Demo data of earlier versions lacks the match.
  if (isFirst) await insertMatch(sql);
  // Several processes can play the match. The minimum age of the last event keeps the speed the same for any number of processes.
  await recordNextEvent(sql, 0.8 * eventIntervalMs);
}

/** Plays the demo match repeatedly until the signal aborts. */
export async function playMatch(pools: Pools, signal: AbortSignal): Promise<void> {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await playNext(pools, isFirst);
      isFirst = false;
    } catch {
      // The database may be temporarily unavailable. The next iteration retries.
    }
    await sleep(eventIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
