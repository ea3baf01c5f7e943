export * from './account.js';
export * from './contact.js';
export * from './invitations.js';
export * from './league.js';
export * from './webhooks.js';
