import { graphql, type ResultOf, type VariablesOf } from 'courtside-sdk';
import { listOf, useList, useQuery, useReloadOnChange, useSession, withLabels } from '../data/index.ts';
import { Field } from '../elements/field.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { SearchField } from '../elements/search-field.tsx';
import { type Column, Table } from '../elements/table.tsx';
import { changeSearch, hrefOf, useConsoleLocation } from '../router.ts';
import { nameOf } from './user.ts';

const Row = graphql(`fragment ConsoleUserRow on User {
  id firstName lastName nameSuffix email city createdAt isSuperAdmin lockedAt erasedAt country { id title } grantedRoles { id title }
}`);
const SearchQuery = graphql(
  `query ConsoleUsers($filter: UserFilter, $orderBy: [UserOrder!], $after: String) {
    liveCursor
    users(first: 50, after: $after, filter: $filter, orderBy: $orderBy) {
      totalCount nodes { ...ConsoleUserRow } pageInfo { hasNextPage endCursor }
    }
  }`,
  [Row],
);
const ByEmail = graphql(
  'query ConsoleUserByEmail($email: String!) { liveCursor userByEmail(email: $email) { ...ConsoleUserRow } }',
  [Row],
);
const Roles = graphql('query ConsoleRoleTitles { roles { nodes { id title } } }');

type UserRow = ResultOf<typeof Row>;
type Filter = NonNullable<VariablesOf<typeof SearchQuery>['filter']>;
type RoleTitle = NonNullable<NonNullable<Filter['roles']>['has']>;

/** States by which the list can be filtered. Each has a title, and the name of the field with the time at which the state began. */
const states = {
  locked: { title: 'Locked', field: 'lockedAt' },
  erased: { title: 'Erased', field: 'erasedAt' },
} as const;

const orderFields = ['LAST_NAME', 'CITY', 'CREATED_AT'] as const;

/** Finds users by name, email address and role. */
export function UserList() {
  const { viewer } = useSession();
  const { search } = useConsoleLocation();
  const text = search.get('search') ?? '';
  const { data } = useQuery(Roles, {});
  const titles = data?.roles?.nodes.map(({ title }) => title) ?? [];
  const isRole = (title: string | null): title is RoleTitle => title !== null && titles.includes(title);
  const role = search.get('role');
  const isEmail = viewer.isSuperAdmin && text.includes('@');
  return (
    <Page title="Users">
      <div class="row filters">
        <SearchField
          label="Search"
          hint={viewer.isSuperAdmin ? 'Part of a name, or an email address' : 'Part of a name'}
          value={text}
          onSearch={(value) => changeSearch({ search: value || null }, { replaces: true })}
        />
        {!isEmail && (
          <>
            <Field
              label="Role"
              name="role"
              type="select"
              value={role ?? ''}
              options={[['', 'Any role'], ...titles.map((title) => [title, title] as const)]}
              onChange={(value) => changeSearch({ role: value || null })}
            />
            <Field
              label="State"
              name="state"
              type="select"
              value={search.get('state') ?? ''}
              options={[['', 'Any state'], ...Object.entries(states).map(([state, { title }]) => [state, title] as const)]}
              onChange={(value) => changeSearch({ state: value || null })}
            />
          </>
        )}
      </div>
      {isEmail ? (
        <UserByEmail email={text} />
      ) : (
        (role === null || data) && <UsersByName text={text} role={isRole(role) ? role : null} />
      )}
    </Page>
  );
}

function UsersByName({ text, role }: { text: string; role: RoleTitle | null }) {
  const { search } = useConsoleLocation();
  const order = orderFields.find((field) => field === search.get('order'));
  const direction = search.get('direction') === 'DESC' ? 'DESC' : 'ASC';
  const state = Object.entries(states).find(([name]) => name === search.get('state'))?.[1];
  const filter: Filter = {
    ...(text && { search: text }),
    ...(role && { roles: { has: role } }),
    ...(state && { [state.field]: { isNull: false } }),
  };
  // Without an order, a search returns the best matches first.
  const newestFirst = text ? [] : [{ field: 'CREATED_AT' as const, direction: 'DESC' as const }];
  const list = useList(
    SearchQuery,
    { filter, orderBy: order ? [{ field: order, direction }] : newestFirst },
    ({ users }) => users,
  );
  useReloadOnChange('User', list.data?.liveCursor, list.reload);
  const count = list.data?.users?.totalCount;
  return (
    <>
      <p role="status" class="quiet small">
        {count !== undefined && `${formatNumber(count)} ${count === 1 ? 'user' : 'users'}`}
      </p>
      <UserTable
        list={{ ...list, failure: withLabels(list.failure, { 'filter.search': 'Search' }) }}
        emptyText="No user matches. Check the spelling, or remove a filter."
        {...(order ? { order: { field: order, direction } } : {})}
        onOrder={(next) => changeSearch({ order: next.field, direction: next.direction })}
      />
    </>
  );
}

/** List with the user who has the given email address. */
function UserByEmail({ email }: { email: string }) {
  const query = useQuery(ByEmail, { email });
  const { data, reload } = query;
  useReloadOnChange('User', data?.liveCursor, reload);
  return (
    <UserTable list={listOf(query, data?.userByEmail ? [data.userByEmail] : [])} emptyText="No user has this email address." />
  );
}

type UserTableProps = Pick<Parameters<typeof Table<UserRow>>[0], 'list' | 'emptyText' | 'order' | 'onOrder'>;

function UserTable(props: UserTableProps) {
  const { viewer } = useSession();
  const columns: readonly Column<UserRow>[] = [
    { title: 'Name', orderBy: 'LAST_NAME', cell: nameCell },
    // Only super admins see addresses and roles of other users.
    ...(viewer.isSuperAdmin
      ? [
          { title: 'Email', cell: ({ email }: UserRow) => email ?? '–' },
          { title: 'Roles', cell: rolesText },
        ]
      : []),
    { title: 'City', orderBy: 'CITY', cell: ({ city, country }) => [city, country?.title].filter(Boolean).join(', ') || '–' },
    { title: 'Joined', orderBy: 'CREATED_AT', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  ];
  return <Table caption="Users" columns={columns} keyOf={({ id }) => id} {...props} />;
}

const nameCell = (user: UserRow) => (
  <>
    <a href={hrefOf(['users', user.id])}>{nameOf(user)}</a> {user.lockedAt && <span class="tag declined">Locked</span>}
    {user.erasedAt && <span class="tag">Erased</span>}
  </>
);

const rolesText = ({ isSuperAdmin, grantedRoles }: UserRow): string =>
  [...(isSuperAdmin ? ['Super admin'] : []), ...(grantedRoles ?? []).map(({ title }) => title)].join(', ') || '–';
