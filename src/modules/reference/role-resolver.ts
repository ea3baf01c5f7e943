import { FieldResolver, Resolver, Root } from 'type-graphql';
import { readsColumns } from '../../kernel/declare/record.js';
import { Role } from './records/role.js';

interface RoleDetails {
  /** Name of the module in which the role grants permissions. Null for all modules. */
  readonly module: string | null;
  readonly description: string;
}

/** What each role permits, keyed by role title. */
const detailsByTitle: Readonly<Record<string, RoleDetails>> = {
  ADMIN: { module: null, description: 'Manages all records and has all other roles.' },
  NEWS_ADMIN: { module: 'news', description: 'Manages news like a NEWS_CREATOR, and submits and approves content.' },
  USER: { module: null, description: 'Has the permissions of every signed-in user.' },
  USERS_PROFILES_EDITOR: { module: 'media', description: 'Edits the images and biographies of all users.' },
  REFEREE: { module: 'officiating', description: 'Records matches and sees the players of all tournaments.' },
  CONTENT_CREATOR: { module: 'media', description: 'Submits sponsors for approval.' },
  MANAGE_VIEWER: {
    module: null,
    description: 'Grants access to the management pages of legacy platforms. Grants no permissions in the graph.',
  },
  NEWS_CREATOR: { module: 'news', description: 'Writes news, and manages categories and news outlets.' },
  CONTENT_CONFIRMER: { module: 'media', description: 'Approves or declines sponsors, images and biographies.' },
};

@Resolver(() => Role)
export class RoleFields {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Name of the module in which the role grants permissions, such as `news`. Null for roles that do not belong to a single module.',
  })
  @readsColumns('title')
  module(@Root() { title }: Pick<Role, 'title'>): string | null {
    return detailsByTitle[title]?.module ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'What users with the role can do. Null for roles that this release does not know.',
  })
  @readsColumns('title')
  description(@Root() { title }: Pick<Role, 'title'>): string | null {
    return detailsByTitle[title]?.description ?? null;
  }
}
