import { choices } from '../../kernel/declare/scalars/choices.js';

export const signupMethods = choices('LeagueSignup', 'Method of signing up for a league and paying.', {
  ONLINE: { raw: ['Online'], description: 'Online.' },
  ONSITE: { raw: ['Onsite', 'On site', 'On-site'], description: 'At the club.' },
});
