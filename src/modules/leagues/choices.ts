import { choices } from '../../kernel/declare/choices.js';

export const signupWays = choices('LeagueSignup', 'How players sign up for a league and pay.', {
  ONLINE: { raw: ['Online'], description: 'Online.' },
  ONSITE: { raw: ['Onsite', 'On site', 'On-site'], description: 'At the club.' },
});
