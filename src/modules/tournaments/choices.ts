import { choices } from '../../kernel/declare/scalars/choices.js';

export const approvalStatuses = choices('SanctionStatus', 'Approval status of a tournament or its sanction level.', {
  PENDING: { raw: ['Pending'], description: 'No decision yet.' },
  APPROVED: { raw: ['Approved'], description: 'Approved.' },
  DENIED: { raw: ['Denied', 'Declined', 'Rejected'], description: 'Denied.' },
  CANCELED: { raw: ['Canceled', 'Cancelled'], description: 'Canceled after the request or the approval.' },
});

/** Statuses of entries. Platforms do not publish the numbers that they use, so the service defines its own. */
export const entryStatuses = choices(
  'EventRegistrationStatus',
  'Status of an entry in an event. The service defines the numbers.',
  {
    REGISTERED: { raw: [1], description: 'The player is registered. Stored as 1.' },
    WAITLISTED: { raw: [2], description: 'The player is waiting for a place. Stored as 2.' },
    WITHDRAWN: { raw: [3], description: 'The player has withdrawn. Stored as 3.' },
    INVITED: { raw: [4], description: 'The player was invited and has not confirmed yet. Stored as 4.' },
  },
);

export const playFormats = choices('PlayFormat', 'Format of play in an event.', {
  SINGLE_ELIMINATION: { raw: ['SE'], description: 'Players are out after one loss. Stored as SE.' },
  DOUBLE_ELIMINATION: { raw: ['DE'], description: 'Players are out after two losses. Stored as DE.' },
  ROUND_ROBIN: { raw: ['RR'], description: 'All players play each other. Stored as RR.' },
  POOL_PLAY: { raw: ['PP'], description: 'Round robins in pools, from which the best players advance. Stored as PP.' },
});

export const playerListVisibilities = choices('PlayerListVisibility', 'Visibility of the list of players.', {
  VISIBLE: { raw: ['0'], description: 'The list is visible. Stored as 0.' },
  HIDDEN: { raw: ['1'], description: 'The list is hidden. Stored as 1.' },
});
