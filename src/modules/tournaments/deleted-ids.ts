import { FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { RecordClass } from '../../kernel/declare/meta.js';
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
function deletedIdsOf(cls: RecordClass, mutations: string) {
  const description = (records: string) => `IDs of the ${records} that ${mutations} deleted. Empty otherwise.`;

  @Resolver(() => cls)
  class DeletedIdFields {
    @FieldResolver(() => [ID], { description: description('teams') })
    deletedTeamIds(@Root() { deletedTeamIds = [] }: Partial<DeletedIds>): string[] {
      return deletedTeamIds;
    }

    @FieldResolver(() => [ID], { description: description('event registrations of all players') })
    deletedEventRegistrationIds(@Root() { deletedEventRegistrationIds = [] }: Partial<DeletedIds>): string[] {
      return deletedEventRegistrationIds;
    }

    @FieldResolver(() => [ID], { description: description('registrations without other entries') })
    deletedRegistrationIds(@Root() { deletedRegistrationIds = [] }: Partial<DeletedIds>): string[] {
      return deletedRegistrationIds;
    }

    @FieldResolver(() => [ID], { description: description('unpaid invoice items') })
    deletedInvoiceItemIds(@Root() { deletedInvoiceItemIds = [] }: Partial<DeletedIds>): string[] {
      return deletedInvoiceItemIds;
    }
  }
  return DeletedIdFields;
}

export const deletedIdFields = [
  deletedIdsOf(TeamInvitation, '`declineTeamInvitation`'),
  deletedIdsOf(EventRegistration, '`withdraw` or `deleteEventRegistration`'),
  deletedIdsOf(Registration, '`withdrawRegistration` or `deleteRegistration`'),
] as const;
