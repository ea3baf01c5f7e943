import type { ComponentChildren } from 'preact';
import type { Query } from '../data/queries.ts';
import { FailureMessage, Loading } from './messages.tsx';

interface QueryStatesProps<Data> {
  readonly query: Query<Data>;
  children(data: Data): ComponentChildren;
}

/** Shows the data of a query, or a message that the data is loading or could not be loaded. */
export const QueryStates = <Data,>({ query: { data, failure, isLoading, reload }, children }: QueryStatesProps<Data>) => (
  <>
    <FailureMessage failure={failure} onRetry={reload} />
    {isLoading && <Loading />}
    {data !== undefined && children(data)}
  </>
);
