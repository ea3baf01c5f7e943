import { relatedRecords } from '../../../kernel/serve/relations.js';
import { User } from '../../accounts/users/user.js';
import { Game } from '../games/game.js';
import { playersRestriction } from '../games/sees-players.js';

/** Relation `User.gameInvitations`. Invitations by e-mail address are visible only to the user, and to platforms without a user token. */
export const invitations = relatedRecords(
  User,
  'gameInvitations',
  Game,
  (caller, param) => {
    const { key, row } = param;
    const byId = `${row}.invited_ids @> array[${key}]`;
    const byAddress = `${row}.invited_by_email_ids @> array[${key}]`;
    if (!caller.user)
      return caller.platform ? `${byId} or ${byAddress}` : `${byId} and ${playersRestriction.condition(caller, param)}`;
    const belongsToCaller = `${key} = ${param(caller.user.id)}`;
    const listsCondition = playersRestriction.condition(caller, param) ?? 'true';
    return `${byId} and (${belongsToCaller} or ${listsCondition}) or ${byAddress} and ${belongsToCaller}`;
  },
  'Games that the user is invited to, by ID or by e-mail address. Other callers see only invitations by ID to games that show them.',
  { isFilterable: true },
);
