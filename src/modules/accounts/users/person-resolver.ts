import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { deletedIdsOf } from '../../../kernel/declare/deleted-ids.js';
import { fail } from '../../../kernel/declare/errors.js';
import { allow, permission, self } from '../../../kernel/declare/policy/policy.js';
import { addAuditEntry } from '../audit/audit-sql.js';
import { eraseUser } from './erase-user.js';
import { type ErasedUser, EraseUserPayload } from './erase-user-payload.js';
import { exportPerson } from './personal-data/export-person-sql.js';

@Resolver()
export class PersonResolver {
  @Query(() => GraphQLJSON, {
    nullable: true,
    description:
      'All data about a user, as a JSON object. Each key is a record type, and its value lists the records that belong to the user or refer to the user. `changed` contains the IDs of other records that the user created or changed. Values that the user may not see are omitted. Exports are audited.',
  })
  @allow(permission('ADMIN'), self('id'))
  async exportUser(
    @Arg('id', () => ID, { description: 'ID of the user.' }) id: string,
    @Ctx() { sql, services }: Context,
  ): Promise<Record<string, unknown>> {
    const user = await services.authenticator.findUser(sql, id);
    if (!user) return fail('NOT_FOUND', `no user with the id ${id}`);
    await addAuditEntry(sql, 'EXPORTED', 'User', id);
    return exportPerson(sql, id, { platform: null, key: null, user, rejected: false });
  }

  @Mutation(() => EraseUserPayload, {
    description:
      'Permanently deletes the personal data of a user, who keeps the ID and gets the name "Deleted user". Results, teams and invoices remain. Deletes tokens, notifications, favorites, reactions, images and biographies with their approvals, and comments. Removes the name and addresses of the user from other records. Users who erase their own account must send their password. INVALID_CREDENTIALS if it is wrong. FORBIDDEN if the user is a super admin and the caller is not.',
  })
  @allow(permission('ADMIN'), self('id'))
  async eraseUser(
    @Arg('id', () => ID, { description: 'ID of the user.' }) id: string,
    @Arg('password', () => String, {
      nullable: true,
      description: 'Password of the caller. Required for users who erase themselves.',
    })
    password: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ErasedUser> {
    return { id, ...deletedIdsOf(await eraseUser(context, id, password ?? null)) };
  }
}
