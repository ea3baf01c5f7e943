import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const first = '2026-01-01T00:00:00Z';
  const later = '2026-02-02T00:00:00Z';
  await app.sql.rows(
    `insert into sponsor (id, title, display_order, reported_created_at, approval_state) select id, 'Placed', place, made, 'APPROVED'
     from (values ('c', 1, $1::timestamptz), ('unset-old', null, $1), ('zero', 0, $1), ('unset-new', null, $2), ('before', -1, $1), ('b', 0.5, $1)) v(id, place, made)`,
    [first, later],
  );
  await app.sql.rows(
    `insert into sponsor_image (id, sponsor_id, display_order, created_at, approval_state) select id, 'zero', place, made, 'APPROVED'
     from (values ('image c', 1, $1::timestamptz), ('image unset', null, $1), ('image zero', 0, $2), ('image before', -1, $2)) v(id, place, made)`,
    [first, later],
  );
});
afterAll(() => app.close());

/** By place, an unset one being 0; of equal ones the newer sponsor first, and the older image. */
const sponsors = ['before', 'unset-new', 'unset-old', 'zero', 'b', 'c'];
const images = ['image before', 'image unset', 'image zero', 'image c'];
const ids = (nodes: { id: string }[]) => nodes.map(({ id }) => id);

describe('sponsors and their images are listed by their places', () => {
  test('in the graph', async () => {
    const seen = await app.graphql('{ sponsors { nodes { id } } sponsorImages { nodes { id } } }');
    expect([ids(seen.sponsors.nodes), ids(seen.sponsorImages.nodes)]).toEqual([sponsors, images]);
  });

  test('page by page', async () => {
    const found: string[] = [];
    for (let after = null, more = true; more; ) {
      const { sponsors: page } = await app.graphql(
        'query ($after: String) { sponsors(first: 1, after: $after) { nodes { id } pageInfo { endCursor hasNextPage } } }',
        { after },
      );
      found.push(...ids(page.nodes));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(found).toEqual(sponsors);
  });

  test('the other way round where that is asked for', async () => {
    const seen = await app.graphql(
      '{ sponsors(orderBy: [{ field: DISPLAY_ORDER, direction: DESC }, { field: ID }]) { nodes { id } } }',
    );
    expect(ids(seen.sponsors.nodes)).toEqual(['c', 'b', 'unset-new', 'unset-old', 'zero', 'before']);
  });

  test('in /v1, as the places read there', async () => {
    const { body } = await app.rest('GET', '/v1/data/sponsors', app.platform);
    const shown = body.result.map(({ uuid, displayOrder }: Record<string, unknown>) => [uuid, displayOrder]);
    const ofOne = (await app.rest('GET', '/v1/data/sponsors/zero', app.platform)).body.sponsorImages;
    expect([shown, ofOne.map(({ uuid }: { uuid: string }) => uuid)]).toEqual([
      sponsors.map((uuid, index) => [uuid, [-1, 0, 0, 0, 0.5, 1][index]]),
      images,
    ]);
  });
});
