import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await app.sql.rows(
    `insert into club (id, title, location_latitude, location_longitude) values ('club', 'Austin Tennis Club', 30, -97)`,
  );
  await app.sql.rows(
    `insert into tournament (id, title, club_id, location_latitude, location_longitude, starts_at)
     values ('cup', 'Austin Spring Open', 'club', 30, -97, '2026-05-01')`,
  );
  await app.sql.rows(`insert into tournament_event (id, tournament_id) values ('event', 'cup')`);
  await app.sql.rows(`insert into team (id, tournament_id, event_id) values ('team', 'cup', 'event')`);
});
afterAll(() => app.close());

const near = 'near: { latitude: 30, longitude: -97, distance: 10 }';
const club = '(filter: { id: { eq: "club" } }) { nodes';

/** Lists with all kinds of sort keys, as fields of a query. Each list contains one row. */
const lists: Record<string, string> = {
  'default order': 'tournaments',
  'fields of the record': 'tournaments(orderBy: [{ field: TITLE, direction: DESC }, { field: STARTS_AT }])',
  'converted field': 'tournaments(orderBy: [{ field: FORMAT }])',
  'computed order': 'teams(orderBy: [{ field: EVENT_STARTS_AT }])',
  'selective filter': `tournaments(filter: { isPlaying: false, days: { gte: "2026-04-30", lte: "2026-05-03" } }, orderBy: [{ field: TITLE }])`,
  'search by one word': 'tournaments(filter: { search: "austin" })',
  'search by two words': 'tournaments(filter: { search: "spring austin" })',
  'search by short words': 'tournaments(filter: { search: "op" })',
  'search after other conditions':
    'tournaments(filter: { title: { contains: "Open" }, clubId: { in: ["club"] }, search: "austin open" })',
  'search before other conditions': 'tournaments(filter: { search: "austin open", clubId: { eq: "club" } })',
  'search in and': 'tournaments(filter: { and: [{ clubId: { eq: "club" } }, { search: "austin" }, { search: "open" }] })',
  'search after conditions on relations':
    'tournaments(filter: { club: { title: { startsWith: "Austin" } }, not: { id: { eq: "x" } }, search: "open" })',
  'search and days': 'tournaments(filter: { days: { gte: "2026-04-01", lte: "2026-06-01" }, search: "open" })',
  'search without a name table': 'clubs(filter: { search: "austin" })',
  'search by words without a name table': 'clubs(filter: { id: { eq: "club" }, search: "tennis austin" })',
  distance: `tournaments(filter: { ${near} })`,
  'distance after other conditions': `tournaments(filter: { title: { ne: "x" }, ${near} })`,
  'descending distance': `clubs(filter: { ${near} }, orderBy: [{ field: DISTANCE, direction: DESC }])`,
  'distance and search': `clubs(filter: { search: "tennis club", ${near} })`,
};
const nestedLists: Record<string, string> = {
  'list of a parent': 'tournaments',
  'search in the list of a parent': 'tournaments(filter: { id: { ne: "x" }, search: "austin open" })',
  'distance in the list of a parent': `tournaments(filter: { ${near} })`,
};

/** Returns the hash in the cursor of the only row of a list. */
const hashOf = ({ edges }: { edges: { cursor: string }[] }): unknown =>
  JSON.parse(Buffer.from(edges[0]?.cursor ?? '', 'base64url').toString())[0];

test('the hashes of lists and orders in cursors equal those of earlier releases, so that clients can continue to use stored cursors', async () => {
  const hashes: Record<string, unknown> = {};
  for (const [name, list] of Object.entries(lists))
    hashes[name] = hashOf((await app.graphql(`{ list: ${list} { edges { cursor } } }`)).list);
  for (const [name, list] of Object.entries(nestedLists))
    hashes[name] = hashOf((await app.graphql(`{ clubs${club} { list: ${list} { edges { cursor } } } } }`)).clubs.nodes[0].list);
  expect(hashes).toMatchInlineSnapshot(`
    {
      "computed order": "pfXl7Csr",
      "converted field": "PUBRNdvY",
      "default order": "pMcdtxio",
      "descending distance": "wUwb4mWA",
      "distance": "DDuCxUcl",
      "distance after other conditions": "4TsGNlBo",
      "distance and search": "AaD-mkto",
      "distance in the list of a parent": "oJo43Z3z",
      "fields of the record": "srg0HPSc",
      "list of a parent": "jacClPm7",
      "search after conditions on relations": "FRytoQ7i",
      "search after other conditions": "Pc8wKd8v",
      "search and days": "Bqm6z9Hd",
      "search before other conditions": "iYqdnFeG",
      "search by one word": "Bqm6z9Hd",
      "search by short words": "uwqrDHZq",
      "search by two words": "zh7xWVzo",
      "search by words without a name table": "dXWkB345",
      "search in and": "OlQfqTPk",
      "search in the list of a parent": "zCZRuHWF",
      "search without a name table": "E0SJLsV7",
      "selective filter": "UO_hX-ix",
    }
  `);
});
