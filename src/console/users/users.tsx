import { usePlace } from '../router.ts';
import { UserList } from './user-list.tsx';
import { UserPage } from './user-page.tsx';

/** Task that finds users, and changes their roles, sessions and data. */
export default function Users() {
  const [, id] = usePlace().segments;
  return id === undefined ? <UserList /> : <UserPage key={id} id={id} />;
}
