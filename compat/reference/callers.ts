import type { Route } from '../engine/route.js';

const tokens: Readonly<Record<Route['auth'], string>> = {
  platform: 'Requires a platform token in the header `PB-API-TOKEN`.',
  user: 'Requires a user token in the header `PB-USER-TOKEN`.',
  platformOrUser: 'Requires a platform token in the header `PB-API-TOKEN` or a user token in the header `PB-USER-TOKEN`.',
  anyone: 'No token is required.',
};

const audiences = /For: ([^\n]*)$/;

/**
 * Describes the permitted callers of a route. `description` is the GraphQL description of its root field, which lists the permitted users
 * and states whether keys are accepted.
 */
export function callersOf({ auth, ownUserParam, rejectsKeys }: Route, description: string): string {
  const [, callers = ''] = audiences.exec(description) ?? [];
  const rules = callers
    .replace(/\.$/, '')
    .split('; ')
    .filter((rule) => /^(users with|super admins|the user)/.test(rule));
  const acceptsKey =
    /publishable key|everybody/.test(callers) && auth !== 'user' && auth !== 'anyone' && !ownUserParam && !rejectsKeys;
  return [
    tokens[auth],
    ownUserParam ? `With a user token, \`${ownUserParam}\` must be the ID of that user.` : '',
    (auth === 'platformOrUser' || auth === 'user') && rules.length ? `Permitted users: ${rules.join(', ')}.` : '',
    acceptsKey ? 'A publishable key is also accepted.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
