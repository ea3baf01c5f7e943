import { choices } from '../../kernel/declare/choices.js';

export const approvalStatuses = choices('SanctionStatus', 'How far the approval of a sanction level is.', {
  PENDING: { raw: ['Pending'], description: 'Nobody has decided yet.' },
  APPROVED: { raw: ['Approved'], description: 'It is approved.' },
  DENIED: { raw: ['Denied', 'Declined', 'Rejected'], description: 'It is denied.' },
  CANCELED: { raw: ['Canceled', 'Cancelled'], description: 'It was approved or requested, and is canceled.' },
});

/** Platforms publish no numbers, so these are the ones that the service writes itself. */
export const entryStatuses = choices('EventRegistrationStatus', 'How an entry in an event stands, as this service numbers it.', {
  REGISTERED: { raw: [1], description: '1: the player is in.' },
  WAITLISTED: { raw: [2], description: '2: the player waits for a place.' },
  WITHDRAWN: { raw: [3], description: '3: the player has withdrawn.' },
  INVITED: { raw: [4], description: '4: the player was asked and has not confirmed yet.' },
});

export const playFormats = choices('PlayFormat', 'How the winner of an event is found.', {
  SINGLE_ELIMINATION: { raw: ['SE'], description: 'SE: who loses is out.' },
  DOUBLE_ELIMINATION: { raw: ['DE'], description: 'DE: who loses twice is out.' },
  ROUND_ROBIN: { raw: ['RR'], description: 'RR: everybody plays everybody.' },
  POOL_PLAY: { raw: ['PP'], description: 'PP: round robins in pools, whose best play on.' },
});

export const playerListVisibilities = choices('PlayerListVisibility', 'Whether the list of players is hidden.', {
  VISIBLE: { raw: ['0'], description: '0: it is shown.' },
  HIDDEN: { raw: ['1'], description: '1: it is hidden.' },
});
