import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { scratchDirectory } from '../../support/servers/service-process.js';
import { type ConsoleUser, consoleUser, openConsole, startConsole, trustedDocuments } from './console-page.js';

const document = 'query OfAClient { leagues { totalCount } }';
let app: TestApp;
let superAdmin: ConsoleUser;
beforeAll(async () => {
  const manifest = join(await scratchDirectory(), 'documents.json');
  writeFileSync(manifest, JSON.stringify({ client: document }));
  app = await startConsole({ TRUSTED_DOCUMENTS: manifest, TRUSTED_DOCUMENTS_MODE: 'require' });
  superAdmin = await consoleUser(app, { firstName: 'Sue', lastName: 'Perez', isSuperAdmin: true });
}, 120_000);
afterAll(() => app.close());

test('all documents of the console match the schema', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
  const errors = [...trustedDocuments()].flatMap((text) =>
    validate(schema, parse(text)).map(({ message }) => `${message} ${text}`),
  );
  expect(errors).toEqual([]);
});

test('a service that requires trusted documents rejects documents of other clients', async () => {
  const codeOf = async (query: string) => (await app.graphql(query, {}, { user: superAdmin.user })).errors?.[0];
  expect({ trusted: await codeOf(document), other: await codeOf('{ leagues { totalCount } }') }).toMatchObject({
    trusted: undefined,
    other: expect.stringContaining('PERSISTED_QUERY_ONLY'),
  });
});

describe('in a browser', requires(missingBrowser), () => {
  test('every task works with a service that requires trusted documents', async () => {
    const { page, consoleErrors } = await openConsole(app, superAdmin);
    const open = async (...links: string[]) => {
      for (const name of links) await page.getByRole('link', { name, exact: true }).first().click();
    };
    await open('Approvals');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await open('Users');
    await page.locator('tbody th').first().waitFor();
    await open('Platforms', 'Club Sites');
    await page.getByRole('cell', { name: 'Created' }).first().waitFor();
    await open('Webhooks', 'https://courtside.test/hooks/results');
    await page.getByRole('table', { name: 'Deliveries, newest first' }).waitFor();
    await open('Operations', 'Audit trail');
    await page.getByRole('table', { name: 'Audit entries' }).waitFor();
    await open('Data', 'Tournaments');
    await page.locator('tbody th a').first().click();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title', { exact: true }).first().fill('A trusted title');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'A trusted title', level: 1 }).waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test('after an update of the service, the console asks the user to reload the page', async () => {
    const { page } = await openConsole(app, superAdmin, '/platforms');
    await page.locator('tbody th').first().waitFor();
    await page.route('**/graphql', async (route) => {
      const body = route.request().postDataJSON();
      await route.continue({ postData: { ...body, query: `${body.query} ` } });
    });
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText('The service has a new release. Reload the page and sign in again.').first().waitFor();
  });
});
