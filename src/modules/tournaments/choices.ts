import { choices } from '../../kernel/declare/scalars/choices.js';

export const approvalStatuses = choices('SanctionStatus', 'Status of the approval of a sanction level.', {
  PENDING: { raw: ['Pending'], description: 'No decision yet.' },
  APPROVED: { raw: ['Approved'], description: 'Approved.' },
  DENIED: { raw: ['Denied', 'Declined', 'Rejected'], description: 'Denied.' },
  CANCELED: { raw: ['Canceled', 'Cancelled'], description: 'Canceled after the request or the approval.' },
});

/** Statuses of entries. Platforms do not publish their numbers, so the service defines its own. */
export const entryStatuses = choices(
  'EventRegistrationStatus',
  'Status of an entry in an event. The service defines the numbers.',
  {
    REGISTERED: { raw: [1], description: '1: the player is registered.' },
    WAITLISTED: { raw: [2], description: '2: the player waits for a place.' },
    WITHDRAWN: { raw: [3], description: '3: the player has withdrawn.' },
    INVITED: { raw: [4], description: '4: the player was invited and has not confirmed yet.' },
  },
);

export const playFormats = choices('PlayFormat', 'Format of play of an event.', {
  SINGLE_ELIMINATION: { raw: ['SE'], description: 'SE: players are out after one loss.' },
  DOUBLE_ELIMINATION: { raw: ['DE'], description: 'DE: players are out after two losses.' },
  ROUND_ROBIN: { raw: ['RR'], description: 'RR: all players play each other.' },
  POOL_PLAY: { raw: ['PP'], description: 'PP: round robins in pools. The best of each pool advance.' },
});

export const playerListVisibilities = choices('PlayerListVisibility', 'Visibility of the list of players.', {
  VISIBLE: { raw: ['0'], description: '0: the list is visible.' },
  HIDDEN: { raw: ['1'], description: '1: the list is hidden.' },
});
