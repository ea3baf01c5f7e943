import { graphql } from 'courtside-sdk';
import { useList } from '../data/index.ts';
import { Page } from '../elements/page.tsx';
import { Table } from '../elements/table.tsx';

const Pending = graphql(`query ConsoleApprovals($after: String) {
  viewer { id pendingApprovals(first: 50, after: $after) { totalCount nodes { __typename id } pageInfo { hasNextPage endCursor } } }
}`);

export default function Approvals() {
  const list = useList(Pending, {}, ({ viewer }) => viewer?.pendingApprovals);
  return (
    <Page title="Approvals">
      <Table
        caption="Pending items"
        columns={[
          { title: 'Type', cell: ({ __typename }) => __typename },
          { title: 'ID', cell: ({ id }) => id },
        ]}
        list={list}
        keyOf={({ __typename, id }) => `${__typename}:${id}`}
        emptyText="Nothing waits for your approval."
      />
    </Page>
  );
}
