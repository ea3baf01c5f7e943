import { related } from '../../kernel/serve/relations.js';
import { User } from '../accounts/user.js';
import { Game } from './game.js';
import { seesPlayers } from './sees-players.js';

/** Whose e-mail address was invited is told to that person alone, and to platforms where no user token says who acts. */
export const invitations = related(
  User,
  'gameInvitations',
  Game,
  (caller, param) => {
    const byId = 'r.invited_ids @> array[p.key]';
    const byAddress = 'r.invited_by_email_ids @> array[p.key]';
    if (!caller.user) return caller.platform ? `${byId} or ${byAddress}` : `${byId} and ${seesPlayers.where(caller, param)}`;
    const isMine = `p.key = ${param(caller.user.id)}`;
    const lists = seesPlayers.where(caller, param) ?? 'true';
    return `${byId} and (${isMine} or ${lists}) or ${byAddress} and ${isMine}`;
  },
  'The games to which the person is invited, by id or by their e-mail address. Others see what the games show of their invitations.',
  { isFilterable: true },
);
