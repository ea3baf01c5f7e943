import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { Game } from '../games/game.js';
import { seesPlayers } from '../games/sees-players.js';

/** Invitations by e-mail address are visible only to the user with the address, and to platforms without a user token. */
export const invitations = relatedRecords(
  User,
  'gameInvitations',
  Game,
  (caller, param) => {
    const { key, row } = param;
    const byId = `${row}.invited_ids @> array[${key}]`;
    const byAddress = `${row}.invited_by_email_ids @> array[${key}]`;
    if (!caller.user) return caller.platform ? `${byId} or ${byAddress}` : `${byId} and ${seesPlayers.condition(caller, param)}`;
    const belongsToCaller = `${key} = ${param(caller.user.id)}`;
    const lists = seesPlayers.condition(caller, param) ?? 'true';
    return `${byId} and (${belongsToCaller} or ${lists}) or ${byAddress} and ${belongsToCaller}`;
  },
  'Games that the user is invited to, by ID or by e-mail address. Other callers see only invitations by ID that the games show.',
  { isFilterable: true },
);
