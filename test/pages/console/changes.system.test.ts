import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingBrowser } from '../../support/clients/browser.js';
import { requires } from '../../support/prerequisites.js';
import type { TestApp } from '../../support/servers/app.js';
import { advanceTimeUntilVisible, type ConsoleUser, consoleUser, openConsole, startConsole } from './console-page.js';

let app: TestApp;
let superAdmin: ConsoleUser;
let admin: ConsoleUser;
let newsCreator: ConsoleUser;
beforeAll(async () => {
  app = await startConsole();
  superAdmin = await consoleUser(app, { isSuperAdmin: true });
  admin = await consoleUser(app, { roles: ['ADMIN', 'CONTENT_CONFIRMER'] });
  newsCreator = await consoleUser(app, { roles: ['NEWS_CREATOR'] });
}, 120_000);
afterAll(() => app.close());

/** Page that shows a text of a record, and the SQL statement that changes this text. */
interface TaskPage {
  readonly path: string;
  readonly statement: string;
}

const pages: Readonly<Record<string, TaskPage>> = {
  Approvals: {
    path: '/approvals?kind=BIOGRAPHY',
    statement: `update biography set text = $1 where id = (
      select id from biography where approval_state = 'PENDING' order by reported_created_at, id limit 1)`,
  },
  'Users: list': { path: '/users?search=torres+maya', statement: `update app_user set city = $1 where id = 'demo-user'` },
  'Users: user': { path: '/users/demo-user', statement: `update app_user set city = $1 where id = 'demo-user'` },
  'Platforms: list': { path: '/platforms', statement: `update platform set domain = $1 where id = 'demo-club-sites'` },
  'Platforms: platform': {
    path: '/platforms/details/demo-club-sites',
    statement: `update platform set domain = $1 where id = 'demo-club-sites'`,
  },
  'Data: list': {
    path: '/data/Tournament',
    statement: `update tournament set location_city = $1 where title = 'Madrid Shootout'`,
  },
  'Data: record': {
    path: '/data/Tournament/demo-tournament',
    statement: `update tournament set location_venue = $1 where id = 'demo-tournament'`,
  },
  'Data: related records': {
    path: '/data/Tournament/demo-tournament/events',
    statement: `update tournament_event set title = $1
      where id = (select id from tournament_event where tournament_id = 'demo-tournament' order by id limit 1)`,
  },
  Operations: { path: '/operations/audit', statement: `update webhook set events = array[$1] where id = 'demo-webhook'` },
};

/** Pages that only super admins see. */
const superAdminPages: typeof pages = {
  Webhooks: { path: '/webhooks', statement: `update webhook set url = 'https://' || $1 where id = 'demo-webhook'` },
};

let changes = 0;

/** Changes the text of a page with SQL, as if another user had changed it. Returns the new text. */
async function change({ statement }: TaskPage): Promise<string> {
  changes += 1;
  const text = `changed-${changes}.example.com`;
  await app.sql.rows(statement, [text]);
  return text;
}

describe('in a browser', { ...requires(missingBrowser), timeout: 60_000 }, () => {
  describe.each([
    ['a super admin', () => superAdmin, { ...pages, ...superAdminPages }],
    ['an admin', () => admin, pages],
    // Users without the role ADMIN receive no changes. Their pages are read again every ten seconds.
    ['a news creator', () => newsCreator, { 'Data: record': pages['Data: record'] as TaskPage }],
  ] as const)('%s', (_, user, permittedPages) => {
    test.each(Object.entries(permittedPages))(
      '%s: sees changes by others, including those during a lost connection',
      async (_, taskPage) => {
        const { page } = await openConsole(app, user(), taskPage.path, { hasFakeClock: true });
        await page.locator('main :is(dl, table, .preview)').first().waitFor();
        await expect.poll(() => page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0);
        await advanceTimeUntilVisible(page.getByText(await change(taskPage)), 10);
        const lost = page.getByText('The connection to the service is lost.');
        await page.context().setOffline(true);
        await lost.waitFor();
        const missed = await change(taskPage);
        await page.context().setOffline(false);
        await lost.waitFor({ state: 'detached' });
        await advanceTimeUntilVisible(page.getByText(missed), 10);
      },
    );
  });
});
