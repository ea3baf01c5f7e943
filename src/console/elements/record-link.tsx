import { hrefOf } from '../router.ts';

/** Link to a record in the data task. */
export const RecordLink = ({ type, id }: { type: string; id: string }) => (
  <>
    {type} <a href={hrefOf(['data', type, id])}>{id}</a>
  </>
);
