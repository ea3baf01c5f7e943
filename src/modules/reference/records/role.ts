import { registerEnumType } from 'type-graphql';
import { id, refs, text } from '../../../kernel/declare/fields/fields.js';
import { record } from '../../../kernel/declare/record.js';
import roles from '../data/roles.json' with { type: 'json' };
import { lookupOptions, OrderedLookup } from './lookup.js';

/** Titles of the roles. */
export const RoleTitle: Readonly<Record<string, string>> = Object.fromEntries(roles.map(({ title }) => [title, title]));
registerEnumType(RoleTitle, {
  name: 'RoleTitle',
  description: 'Title of a role.',
  valuesConfig: Object.fromEntries(roles.map(({ title }) => [title, { description: `The ${title} role.` }])),
});

@record(
  { ...lookupOptions, table: 'role', one: 'role', many: 'roles', audited: ['title', 'inheritedIds'] },
  'Role of users, which grants permissions. Reference data, read-only.',
)
export class Role extends OrderedLookup {
  @id('Numeric ID of the role, as a string.')
  id!: string;

  // A string instead of `RoleTitle`, because the database can contain roles of a newer version during a deployment.
  @text('Title, such as NEWS_CREATOR.', { required: true })
  title!: string;

  @refs(() => Role, { all: 'inherits' }, 'All roles that the role inherits permissions from, directly or indirectly.', {
    index: false,
  })
  inheritedIds!: string[];
}
