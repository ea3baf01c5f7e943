import { readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoctor } from '../../src/commands/doctor.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { startApp, type TestApp } from '../support/app.js';
import { seedAustin } from './seed.js';

let app: TestApp;
let players: string[];
beforeAll(async () => {
  app = await startApp();
  players = await seedAustin(app);
});
afterAll(() => app.close());

const page = readFileSync('docs/exports.md', 'utf8');
const rowsOf = (text: string) => [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);

const statusOf = async (path: string): Promise<number> => {
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  const response = await fetch(app.origin + path, { headers });
  await response.text();
  return response.status;
};

test('the addresses that docs/exports.md lists are there', async () => {
  const given = (address: string) =>
    address
      .replace('/tournaments/{id}', '/tournaments/austin')
      .replace('/users/{id}', `/users/${players[0]}`)
      .replace('{list}', 'teams');
  const statuses = await Promise.all(rowsOf(page).map((address) => statusOf(given(address))));
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test('its commands answer', async () => {
  const commands = [...page.matchAll(/localhost:4000(\/[^\s"]+)((?:.|\\\n)*?)\n```/g)];
  const statuses = commands.map(([, path = '', rest = '']) => {
    const parameters = [...rest.matchAll(/--data-urlencode '([^=]+)=([^']+)'/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    return statusOf(`${path.replace('demo-tournament', 'austin')}?${new URLSearchParams(parameters)}`);
  });
  expect(await Promise.all(statuses)).toEqual([200, 200]);
});

test('its operations and fields are those of the graph', () => {
  const schema = graphOfModules();
  const operations = [...page.matchAll(/```graphql\n([^`]+)```/g)].map(([, text = '']) => text);
  const fields = [...page.matchAll(/`([A-Z]\w+)\.(\w+)`/g)].map(([, type = '', field = '']) => {
    const found = schema.getType(type);
    return found && 'getFields' in found && field in found.getFields();
  });
  expect([operations.flatMap((text) => validate(schema, parse(text))), fields]).toEqual([[], [true, true]]);
});

test('docs/doctor.md lists the lines of the doctor', async () => {
  const lines: string[] = [];
  await runDoctor({ PORT: '0' }, (line) => lines.push(line));
  const listed = rowsOf(readFileSync('docs/doctor.md', 'utf8'));
  expect(listed).toEqual(lines.slice(0, -1).map((line) => line.slice(2).split(' ')[0]));
});
