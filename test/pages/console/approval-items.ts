import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestApp } from '../../support/servers/app.js';

const picture = `data:image/svg+xml,${encodeURI('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')}`;

/** User who submits items. */
export interface Owner {
  readonly name: string;
  /** Submits an image that needs one approval. Returns its ID. */
  image(url?: string): Promise<string>;
  /** Submits a biography that needs one approval. Returns its ID. */
  biography(text: string): Promise<string>;
  /** Submits a sponsor that needs two approvals. Returns its ID. */
  sponsor(title: string): Promise<string>;
}

/** Last names that do not resemble each other, because the search for owners accepts small misspellings. */
const lastNames = [
  'Quixote',
  'Zambrano',
  'Fjeldstad',
  'Wojcik',
  'Hummingbird',
  'Xylander',
  'Kovalevska',
  'Ytterberg',
  'Dunphy',
  'Papadakis',
  'Szczepanik',
  'Obuya',
  'Thistlewood',
  'Grzyb',
  'Vandermeer',
  'Ishikawa',
  'Bjornsdottir',
  'Echeverria',
];

/** Number of names that are used in each service. */
const usedNames = new WeakMap<TestApp, number>();

/** Creates a user who submits items. The name is unique in the service, so that tests find only their own items. */
export async function newOwner(app: TestApp): Promise<Owner> {
  const used = usedNames.get(app) ?? 0;
  usedNames.set(app, used + 1);
  const name = lastNames[used] ?? expect.fail('more names are needed');
  const owner = await app.person({ firstName: 'Olaf', lastName: name, roles: ['CONTENT_CREATOR'] });
  const submit = async (field: string, variables: Record<string, unknown>, types: string) => {
    const answer = await app.graphql(`mutation (${types}) { item: ${field} { id } }`, variables, owner);
    return answer.item?.id ?? expect.fail(String(answer.errors));
  };
  const ownerOf = `userId: "${owner.id}"`;
  return {
    name,
    image: (url = picture) => submit(`createUserImage(${ownerOf}, input: { type: PROFILE, url: $url })`, { url }, '$url: String'),
    biography: (text) => submit(`createBiography(${ownerOf}, input: { text: $text })`, { text }, '$text: String'),
    sponsor: (title) => submit('createSponsor(input: { title: $title })', { title }, '$title: String'),
  };
}

/** Returns the approval state of an item, its number of approvals, and the reason why it was declined. */
export const stateOf = async (app: TestApp, table: string, id: string) => {
  const row = await app.sql.row(
    `select approval_state as state, approval_given as given, approval_decline_reason as reason from ${table} where id = $1`,
    [id],
  );
  return `${row?.state} ${row?.given}${row?.reason ? `: ${row.reason}` : ''}`;
};

/** Links in the list of items. */
export const items = (page: Page) => page.locator('.queue .items a');
/** Returns the titles of the listed items, sorted. */
export const titles = async (page: Page) => (await items(page).locator('span:first-child').allTextContents()).sort();
export const detail = (page: Page) => page.getByRole('region', { name: 'Selected item' });
export const heading = (page: Page) => detail(page).getByRole('heading', { level: 2 });
/** Notice with the result of the last action. */
export const notice = (page: Page) => page.locator('.notices [role=status]');
