import { type DeletedIds, deletedIdsFields } from '../../kernel/declare/deleted-ids.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { EventRegistration } from './entries/event-registration.js';
import { Registration } from './entries/registration.js';
import { TeamInvitation } from './invitations/team-invitation.js';

const records = {
  deletedTeamIds: 'teams',
  deletedEventRegistrationIds: 'event registrations of all players',
  deletedRegistrationIds: 'registrations that had no other entries',
  deletedInvoiceItemIds: 'unpaid invoice items',
} as const;

/** IDs of the records that a withdrawal deletes. */
export type IdsDeletedByWithdrawal = DeletedIds<keyof typeof records>;

const deletedBy = (cls: RecordClass, ...mutations: readonly string[]) => deletedIdsFields(cls, mutations, records);

export const withdrawalDeletedIdsFields = [
  ...deletedBy(TeamInvitation, 'declineTeamInvitation'),
  ...deletedBy(EventRegistration, 'withdraw', 'deleteEventRegistration'),
  ...deletedBy(Registration, 'withdrawRegistration', 'deleteRegistration'),
];
