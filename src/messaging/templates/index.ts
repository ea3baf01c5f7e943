export { accountExists } from './account-exists.js';
export { contactMail } from './contact.js';
export { emailValidation } from './email-validation.js';
export { gameInvitation } from './game-invitation.js';
export { leagueMail, leagueText } from './league.js';
export { passwordResetMail, passwordResetText } from './password-reset.js';
export { teamInvitation } from './team-invitation.js';
export { webhookContact } from './webhook-contact.js';
export { webhookPaused } from './webhook-paused.js';
