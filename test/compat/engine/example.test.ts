import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { venue, venueRoutes } from './example.js';
import { sampleGraph } from './sample-graph.js';
import { serve } from './server.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const options = { routes: [venueRoutes], records: [venue] };
const stored = {
  uuid: 'v1',
  Title: 'Austin Open',
  LocationCity: 'Austin',
  RegistrationCount: 0,
  date_created: '2026-01-01T00:00:00Z',
};

test('the example in the comment of the engine equals the tested file', () => {
  const [, example = ''] = /```ts\n(.*?) \* ```/s.exec(read('../../../compat/engine/index.ts')) ?? [];
  expect(example.replaceAll(/^ \* ?/gm, '')).toBe(read('./example.ts').replace(/^import .*?\n\n/s, ''));
});

test('the example routes upsert, read and list a record', async () => {
  const { send } = await serve(sampleGraph(), options);
  const upsert = await send('POST /v1/venues/upsert', {
    as: 'P',
    body: { payload: { uuid: 'v1', Title: 'Austin Open', LocationCity: 'Austin', RegistrationCount: 9 } },
  });
  const record = await send('GET /v1/data/venues/v1', { as: 'U' });
  const list = await send('GET /v1/data/venues', { as: 'U' });
  expect({ upsert: upsert.body, record: record.body, list: list.body }).toEqual({
    upsert: { result: stored },
    record: { result: stored },
    list: { total_records: '1', results: [stored] },
  });
});
