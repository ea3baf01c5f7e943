import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import type { ActionRule } from '../../../kernel/declare/fields/options.js';
import type { Writers } from '../../../kernel/declare/policy/writers.js';
import { instantOf } from '../../../kernel/declare/scalars/instant.js';
import { currentTimeFor } from '../../../kernel/response-sources.js';
import { hasStarted, registrationDates } from './registration-refusal.js';

/** Returns, for each row, whether its tournament has not started yet. True for rows without a tournament. */
async function haveNotStarted(
  { sql }: Context,
  table: 'registration' | 'event_registration',
  ids: readonly string[],
): Promise<boolean[]> {
  const tournaments = sql.db.selectFrom('tournament as t').select(registrationDates);
  const rows = await sql.run(
    table === 'registration'
      ? tournaments
          .innerJoin('registration as o', 'o.tournament_id', 't.id')
          .select('o.id')
          .where(raw<SqlBool>`o.id = any(${ids})`)
      : tournaments
          .innerJoin('tournament_event as e', 'e.tournament_id', 't.id')
          .innerJoin('event_registration as o', 'o.event_id', 'e.id')
          .select('o.id')
          .where(raw<SqlBool>`o.id = any(${ids})`),
  );
  const now = instantOf(currentTimeFor(sql));
  const idsInStartedTournaments = new Set(rows.filter((row) => hasStarted(row, now)).map(({ id }) => id));
  return ids.map((id) => !idsInStartedTournaments.has(id));
}

/** Players can withdraw their own rows until the tournament starts. */
export const canWithdraw = (table: 'registration' | 'event_registration'): ActionRule => ({
  columns: ['id', 'userId'],
  isAllowed({ id, userId }, context) {
    const { caller, loaders } = context;
    if (!caller.user || userId !== caller.user.id) return false;
    return loaders.batchLoader(`${table} may be withdrawn`, (ids) => haveNotStarted(context, table, ids))(String(id));
  },
});

/** Staff can delete any row. Players can delete their own rows as long as they can withdraw. */
export const canDelete = (table: 'registration' | 'event_registration', writers: Writers): ActionRule => {
  const playerRule = canWithdraw(table);
  return {
    columns: playerRule.columns,
    isAllowed: (row, context) =>
      writers.policies.some((policy) => policy.permitsCaller(context.caller)) || playerRule.isAllowed(row, context),
  };
};
