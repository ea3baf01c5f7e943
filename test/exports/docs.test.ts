import { readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDoctor } from '../../src/commands/doctor.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { startApp, type TestApp } from '../support/servers/app.js';
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

test('the paths that docs/exports.md lists exist', async () => {
  const fillIn = (path: string) =>
    path
      .replace('/tournaments/{id}', '/tournaments/austin')
      .replace('/users/{id}', `/users/${players[0]}`)
      .replace('{list}', 'teams');
  const statuses = await Promise.all(rowsOf(page).map((path) => statusOf(fillIn(path))));
  expect(statuses).toEqual([200, 200, 200, 200]);
});

test('the commands of docs/exports.md succeed', async () => {
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

test('the operations of docs/exports.md are valid, and its fields exist', () => {
  const schema = graphOfModules();
  const operations = [...page.matchAll(/```graphql\n([^`]+)```/g)].map(([, text = '']) => text);
  const fieldsExist = [...page.matchAll(/`([A-Z]\w+)\.(\w+)`/g)].map(([, typeName = '', field = '']) => {
    const type = schema.getType(typeName);
    return type && 'getFields' in type && field in type.getFields();
  });
  const errors = operations.flatMap((text) => validate(schema, parse(text)));
  expect({ errors, fieldsExist }).toEqual({ errors: [], fieldsExist: [true, true] });
});

test('docs/doctor.md lists the checks of the doctor command', async () => {
  const lines: string[] = [];
  await runDoctor({ PORT: '0' }, (line) => lines.push(line));
  const listed = rowsOf(readFileSync('docs/doctor.md', 'utf8'));
  expect(listed).toEqual(lines.slice(0, -1).map((line) => line.slice(2).split(' ')[0]));
});
