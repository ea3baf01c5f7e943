import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';

const field = 'input.registrationId';

/** Players who enter an event hang their entry on a registration of their own: FORBIDDEN for that of somebody else. */
export async function checkRegistration(values: Values, { caller, sql }: Context, mayEnterAll: boolean): Promise<void> {
  const { registrationId, userId = caller.user?.id } = values;
  if (mayEnterAll || typeof registrationId !== 'string') return;
  const found = await sql.first(sql.db.selectFrom('registration').select('user_id as owner').where('id', '=', registrationId));
  if (found?.owner && found.owner !== userId) fail('FORBIDDEN', `${field}: only a registration of the same player`, { field });
}
