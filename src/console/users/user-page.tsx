import { useQuery, useReloadOnChange, useSession } from '../data/index.ts';
import { BackLink } from '../elements/back-link.tsx';
import { Facts } from '../elements/facts.tsx';
import { CalendarDate, DateTime } from '../elements/formats.tsx';
import { Page } from '../elements/page.tsx';
import { Picture } from '../elements/picture.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import { Lock } from './lock.tsx';
import { PersonalData } from './personal-data.tsx';
import { Roles } from './roles.tsx';
import { Sessions } from './sessions.tsx';
import { nameOf, type User, UserQuery } from './user.ts';

/** Page of a user: profile, roles, sessions, lock, personal data and history. */
export function UserPage({ id }: { id: string }) {
  const query = useQuery(UserQuery, { id });
  const user = query.data?.user;
  return (
    <Page title={user ? nameOf(user) : 'User'}>
      <p class="above">
        <BackLink segments={['users']}>All users</BackLink>
      </p>
      <QueryStates query={query}>
        {({ user, liveCursor }) =>
          user ? <UserDetails user={user} cursor={liveCursor} reload={query.reload} /> : <p class="card">No user has this ID.</p>
        }
      </QueryStates>
    </Page>
  );
}

function UserDetails({ user, cursor, reload }: { user: User; cursor: string | null; reload(): void }) {
  const { viewer } = useSession();
  useReloadOnChange('User', cursor, reload, user.id);
  if (user.erasedAt)
    return (
      <>
        <p class="card">
          <strong>Erased</strong> on <DateTime at={user.erasedAt} />. The personal data was deleted, and the user can no longer
          sign in. Results, teams and invoices remain.
        </p>
        <Profile user={user} />
        <RecordHistory key={user.updatedAt} type="User" id={user.id} />
      </>
    );
  return (
    <>
      <Profile user={user} />
      {viewer.isSuperAdmin && <Roles user={user} />}
      <Sessions key={`sessions ${user.lockedAt}`} user={user} />
      <Lock user={user} onChange={reload} />
      <PersonalData user={user} onErase={reload} />
      <RecordHistory key={user.updatedAt} type="User" id={user.id} />
    </>
  );
}

function Profile({ user }: { user: User }) {
  const { viewer } = useSession();
  const { email, phone, gender, dateOfBirth, city, zip, state, country, imageUrl, isCompleted, verifiedAt } = user;
  const place = [city, [state?.title, zip].filter(Boolean).join(' '), country?.title].filter(Boolean).join(', ');
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      {imageUrl && <Picture url={imageUrl} text={`Portrait of ${nameOf(user)}`} className="portrait" />}
      <Facts
        facts={[
          ...(viewer.isSuperAdmin
            ? ([
                ['Email', email],
                ['Email verified', verifiedAt ? <DateTime at={verifiedAt} /> : 'No'],
                ['Phone', phone],
                ['Date of birth', <CalendarDate date={dateOfBirth} />],
                ['Super admin', user.isSuperAdmin ? 'Yes' : 'No'],
              ] as const)
            : []),
          ['Category of play', gender && { F: 'Women', M: 'Men' }[gender]],
          ['Location', place || null],
          ['Profile complete', isCompleted ? 'Yes' : 'No'],
          ['Slug', user.slug],
          ['ID', <code>{user.id}</code>],
          ['Joined', <DateTime at={user.createdAt} />],
          ['Last change', <DateTime at={user.updatedAt} />],
          ['Changed by', user.updatedBy ?? user.createdBy],
        ]}
      />
    </section>
  );
}
