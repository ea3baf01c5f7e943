import { useSession } from '../data/index.ts';
import { hrefOf } from '../router.ts';
import { isListed } from './catalog.ts';
import { taskPath } from './value.tsx';

/** Type and ID of a record, with a link if the viewer can list the type. */
export function RecordKey({ type, id }: { type: string; id: string }) {
  const { viewer } = useSession();
  return (
    <>
      {type} {isListed(viewer, type) ? <a href={hrefOf([taskPath, type, id])}>{id}</a> : id}
    </>
  );
}
