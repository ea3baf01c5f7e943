import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { reject } from '../../kernel/declare/errors.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { create } from '../../kernel/write/save.js';
import { checkPlayers } from './check-players.js';
import { type Entrant, enterPlayers } from './enter-players.js';
import { invitePartner, type Partner } from './invite-partner.js';
import { checkOpen, checkRoom, type Entered, lockEvent } from './open-event.js';
import { checkNotEntered, lockPlayers } from './players.js';
import { checkTeam, type RegisterTeamInput } from './register-team-input.js';
import { Team } from './team.js';

/** The partner whom an input names, if any, in the form in which invitations have them. */
const partnerIn = ({ partnerId, partnerEmail }: RegisterTeamInput): Partner | null => {
  if (partnerId) return { userId: partnerId };
  return partnerEmail ? { email: folded(partnerEmail) } : null;
};

/** Pairs have a partner and nobody else has; an event of no format leaves it to the players. */
async function checkNumber({ sql }: Context, { event }: Entered, partner: Partner | null): Promise<void> {
  if (event.formatId === null) return;
  const format = await sql.first(
    sql.db.selectFrom('format').select('needs_partner as needsPartner').where('id', '=', event.formatId),
  );
  if (format?.needsPartner && !partner) reject('input.partnerId', 'the id of the partner, because the event is played in pairs');
  const field = partner && 'email' in partner ? 'input.partnerEmail' : 'input.partnerId';
  if (format && !format.needsPartner && partner) reject(field, 'no partner, because the event is not played in pairs');
}

/** Partners are other people. */
async function checkOther({ sql }: Context, me: string, partner: Partner | null): Promise<void> {
  if (!partner) return;
  if ('userId' in partner) return partner.userId === me ? reject('input.partnerId', 'the id of another user') : undefined;
  const mine = await sql.first(sql.db.selectFrom('app_user').select('email').where('id', '=', me));
  if (mine?.email === partner.email) reject('input.partnerEmail', 'the address of somebody else');
}

/** Enters the signed-in user in an event, alone or with a partner, who is asked to confirm and for whom the place is kept meanwhile. */
export async function registerTeam(
  context: Context,
  input: RegisterTeamInput,
  returning: readonly string[],
): Promise<RowOf<Team>> {
  checkTeam(input, 'input.');
  return context.sql.transaction(async () => {
    const { sql } = context;
    const me = onBehalfOf(context, null);
    const partner = partnerIn(input);
    const partnerId = partner && 'userId' in partner ? partner.userId : null;
    const entered = await lockEvent(context, input.eventId);
    checkOpen(entered);
    await checkNumber(context, entered, partner);
    await checkOther(context, me, partner);
    const there = await lockPlayers(sql, [me, ...(partnerId ? [partnerId] : [])]);
    if (partnerId && !there.includes(partnerId)) reject('input.partnerId', 'the id of a user');
    await checkPlayers(context, entered, me, partnerId);
    await checkNotEntered(sql, entered.event.id, me, 'you are in this event already');
    if (partnerId) await checkNotEntered(sql, entered.event.id, partnerId, 'the partner is in this event already');
    await checkRoom(context, entered.event);
    const first: Entrant = { userId: me, entryId: uuidv7() };
    const second: Entrant | null = partnerId ? { userId: partnerId, entryId: uuidv7() } : null;
    const values = {
      playerOneId: me,
      playerTwoId: partnerId,
      eventId: entered.event.id,
      tournamentId: entered.tournament.id,
      registrationOneId: first.entryId,
      registrationTwoId: second?.entryId ?? null,
    };
    const team = await create(context, Team, values, [...new Set([...returning, 'id'])]);
    const teamId = String(team.id);
    const players = second ? [first, second] : [first];
    const partners = new Map(second ? [[me, second] as const, [second.userId, first] as const] : []);
    await enterPlayers(context, entered, teamId, players, partners);
    if (partner) await invitePartner(context, entered, teamId, me, partner);
    return team;
  });
}
