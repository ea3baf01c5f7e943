import { FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { describeDeletedIds } from '../../kernel/declare/scalars/words.js';
import { EventRegistration } from './entries/event-registration.js';
import { Registration } from './entries/registration.js';
import { TeamInvitation } from './invitations/team-invitation.js';

/** IDs of the records that a withdrawal deletes. */
export interface DeletedIds {
  deletedTeamIds: string[];
  deletedEventRegistrationIds: string[];
  deletedRegistrationIds: string[];
  deletedInvoiceItemIds: string[];
}

/** Fields with the IDs of the records that one of these mutations deletes together with the returned record. */
function deletedIdsOf(cls: RecordClass, ...mutations: readonly string[]) {
  @Resolver(() => cls)
  class DeletedIdFields {
    @FieldResolver(() => [ID], { description: describeDeletedIds('teams', ...mutations) })
    deletedTeamIds(@Root() { deletedTeamIds = [] }: Partial<DeletedIds>): string[] {
      return deletedTeamIds;
    }

    @FieldResolver(() => [ID], { description: describeDeletedIds('event registrations of all players', ...mutations) })
    deletedEventRegistrationIds(@Root() { deletedEventRegistrationIds = [] }: Partial<DeletedIds>): string[] {
      return deletedEventRegistrationIds;
    }

    @FieldResolver(() => [ID], { description: describeDeletedIds('registrations without other entries', ...mutations) })
    deletedRegistrationIds(@Root() { deletedRegistrationIds = [] }: Partial<DeletedIds>): string[] {
      return deletedRegistrationIds;
    }

    @FieldResolver(() => [ID], { description: describeDeletedIds('unpaid invoice items', ...mutations) })
    deletedInvoiceItemIds(@Root() { deletedInvoiceItemIds = [] }: Partial<DeletedIds>): string[] {
      return deletedInvoiceItemIds;
    }
  }
  return DeletedIdFields;
}

export const deletedIdFields = [
  deletedIdsOf(TeamInvitation, 'declineTeamInvitation'),
  deletedIdsOf(EventRegistration, 'withdraw', 'deleteEventRegistration'),
  deletedIdsOf(Registration, 'withdrawRegistration', 'deleteRegistration'),
] as const;
