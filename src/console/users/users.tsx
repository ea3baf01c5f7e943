import { NotFound } from '../elements/not-found.tsx';
import { useConsoleLocation } from '../router.ts';
import { UserList } from './user-list.tsx';
import { UserPage } from './user-page.tsx';

/** Task that finds users and changes their roles, sessions and data. */
export default function Users() {
  const [, id, ...rest] = useConsoleLocation().segments;
  if (rest.length > 0) return <NotFound back={['users']} backLabel="Go to all users" />;
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />;
}
