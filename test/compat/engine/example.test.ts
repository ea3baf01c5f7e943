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

test('the example at the head of the engine is the one that is tested here', () => {
  const [, shown = ''] = /```ts\n(.*?) \* ```/s.exec(read('../../../compat/engine/index.ts')) ?? [];
  expect(shown.replaceAll(/^ \* ?/gm, '')).toBe(read('./example.ts').replace(/^import .*?\n\n/s, ''));
});

test('the example works', async () => {
  const { send } = await serve(sampleGraph(), options);
  const written = await send('POST /v1/venues/upsert', {
    as: 'P',
    body: { payload: { uuid: 'v1', Title: 'Austin Open', LocationCity: 'Austin', RegistrationCount: 9 } },
  });
  const one = await send('GET /v1/data/venues/v1', { as: 'U' });
  const all = await send('GET /v1/data/venues', { as: 'U' });
  expect([written, one, all].map(({ body }) => body)).toEqual([
    { result: stored },
    { result: stored },
    { total_records: '1', results: [stored] },
  ]);
});
