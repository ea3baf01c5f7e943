import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const older = '2026-01-01T00:00:00Z';
  const newer = '2026-02-02T00:00:00Z';
  await app.sql.rows(
    `insert into sponsor (id, title, display_order, reported_created_at, approval_state)
     select id, 'Ordered', display_order, created_at, 'APPROVED'
     from (values ('c', 1, $1::timestamptz), ('unset-old', null, $1), ('zero', 0, $1), ('unset-new', null, $2),
       ('before', -1, $1), ('b', 0.5, $1)) v(id, display_order, created_at)`,
    [older, newer],
  );
  await app.sql.rows(
    `insert into sponsor_image (id, sponsor_id, display_order, created_at, approval_state)
     select id, 'zero', display_order, created_at, 'APPROVED'
     from (values ('image c', 1, $1::timestamptz), ('image unset', null, $1), ('image zero', 0, $2),
       ('image before', -1, $2)) v(id, display_order, created_at)`,
    [older, newer],
  );
});
afterAll(() => app.close());

// Ordered by display order, where null counts as 0. On ties, newer sponsors come first, but older images come first.
const orderedSponsors = ['before', 'unset-new', 'unset-old', 'zero', 'b', 'c'];
const orderedImages = ['image before', 'image unset', 'image zero', 'image c'];
const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id);

describe('sponsors and their images are listed by display order', () => {
  test('in the graph', async () => {
    const { sponsors, sponsorImages } = await app.graphql('{ sponsors { nodes { id } } sponsorImages { nodes { id } } }');
    expect({ sponsors: ids(sponsors.nodes), images: ids(sponsorImages.nodes) }).toEqual({
      sponsors: orderedSponsors,
      images: orderedImages,
    });
  });

  test('page by page', async () => {
    const pagedIds: string[] = [];
    for (let after = null, hasNextPage = true; hasNextPage; ) {
      const { sponsors: page } = await app.graphql(
        'query ($after: String) { sponsors(first: 1, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }',
        { after },
      );
      pagedIds.push(...ids(page.nodes));
      after = page.pageInfo.endCursor;
      hasNextPage = page.pageInfo.hasNextPage;
    }
    expect(pagedIds).toEqual(orderedSponsors);
  });

  test('in descending order if orderBy requests it, with ties ordered by ID', async () => {
    const { sponsors } = await app.graphql(
      '{ sponsors(orderBy: [{ field: DISPLAY_ORDER, direction: DESC }, { field: ID }]) { nodes { id } } }',
    );
    expect(ids(sponsors.nodes)).toEqual(['c', 'b', 'unset-new', 'unset-old', 'zero', 'before']);
  });

  test('in /v1, which shows a null display order as 0', async () => {
    const { body } = await app.rest('GET', '/v1/data/sponsors', app.platform);
    const sponsors = body.result.map(({ uuid, displayOrder }: Record<string, unknown>) => ({ uuid, displayOrder }));
    const { sponsorImages } = (await app.rest('GET', '/v1/data/sponsors/zero', app.platform)).body;
    const displayOrders = [-1, 0, 0, 0, 0.5, 1];
    expect({ sponsors, images: sponsorImages.map(({ uuid }: { uuid: string }) => uuid) }).toEqual({
      sponsors: orderedSponsors.map((uuid, index) => ({ uuid, displayOrder: displayOrders[index] })),
      images: orderedImages,
    });
  });
});
