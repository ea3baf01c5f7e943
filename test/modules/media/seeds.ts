import { type Person, startApp, type TestApp, type Tokens } from '../../support/servers/app.js';

/** Approval status of an item at the start of a test. In `approvers`, null stands for the platform. */
export interface InitialApproval {
  state: string;
  required: number;
  approvers: readonly (string | null)[];
}

export const pending = (required = 1): InitialApproval => ({ state: 'PENDING', required, approvers: [] });

/** Returns the code of the first error in a GraphQL response. */
export const errorCodeOf = ({ errors }: { errors: string[] }): string => errors[0]?.split(':')[0] ?? '';

let ids = 0;
export const newId = (kind: string): string => `${kind}-${++ids}`;

export interface CreatedSponsor {
  id: string;
  /** ID of the sponsor’s image. */
  image: string;
}

/** The service with a caller for each role that matters for approvals. */
export interface MediaApp extends TestApp {
  tokensOf(name: string): Tokens;
  /** Returns the ID of a user, or an empty string for a platform without a user. */
  idOf(name: string): string;
  /** Creates an image for a user, by default the player, and returns its ID. */
  image(initial: InitialApproval, userId?: string): Promise<string>;
  /** Creates a sponsor with one image. The platform and the admin have approved both. */
  sponsor(userId: string, createdById?: string | null): Promise<CreatedSponsor>;
  /** Runs one approval mutation and returns the new state, such as `PENDING 1/2`, or the error code. */
  step(mutation: string, id: string, tokens: Tokens, type?: string): Promise<string>;
}

const status = 'state required given declineReason approvals(filter: { canceledAt: { isNull: true } }) { totalCount }';

async function peopleOf(app: TestApp): Promise<Record<string, Tokens & Partial<Person>>> {
  const confirmer = await app.person({ roles: ['CONTENT_CONFIRMER'], firstName: 'Cara' });
  const player = await app.person({ firstName: 'Pia' });
  return {
    'super admin': await app.person({ isSuperAdmin: true }),
    admin: await app.person({ roles: ['ADMIN'] }),
    confirmer,
    creator: await app.person({ roles: ['CONTENT_CREATOR'] }),
    player,
    platform: app.platform,
    'platform for the confirmer': { ...app.platform, ...confirmer },
    'platform for the player': { ...app.platform, ...player },
  };
}

export async function startMediaApp(): Promise<MediaApp> {
  const app = await startApp();
  const people = await peopleOf(app);
  const idOf = (name: string) => people[name]?.id ?? '';
  return {
    ...app,
    tokensOf: (name) => people[name] ?? {},
    idOf,
    async image({ state, required, approvers }, userId = idOf('player')) {
      const id = newId('image');
      await app.sql.rows(
        `insert into user_image (id, user_id, type, approval_state, approval_required, approval_given) values ($1, $2, 'PROFILE', $3, $4, $5)`,
        [id, userId, state, required, approvers.length],
      );
      for (const user of approvers) {
        await app.sql.rows(
          `insert into approval (id, item_type, item_id, approved_by_id, approved_by_platform_id) values ($1, 'USER_IMAGE', $2, $3, $4)`,
          [newId('approval'), id, user, user === null ? 'test-platform' : null],
        );
      }
      return id;
    },
    async sponsor(userId, createdById = null) {
      const id = newId('sponsor');
      const image = `${id}-image`;
      const approved = `'APPROVED', 2, 2`;
      await app.sql.rows(
        `insert into sponsor (id, user_id, created_by_id, title, url, description, approval_state, approval_required, approval_given)
         values ($1, $2, $3, 'Title', 'https://url', 'Text.', ${approved})`,
        [id, userId || null, createdById],
      );
      await app.sql.rows(
        `insert into sponsor_image (id, sponsor_id, url, size, color, approval_state, approval_required, approval_given)
         values ($1, $2, 'https://image', 'S', 'red', ${approved})`,
        [image, id],
      );
      for (const [type, item] of Object.entries({ SPONSOR: id, SPONSOR_IMAGE: image }))
        await app.sql.rows(
          `insert into approval (id, item_type, item_id, approved_by_id, approved_by_platform_id)
           values ($1, $2, $3, null, 'test-platform'), ($4, $2, $3, $5, null)`,
          [newId('approval'), type, item, newId('approval'), idOf('admin')],
        );
      return { id, image };
    },
    async step(mutation, id, tokens, type = 'USER_IMAGE') {
      const reason = mutation === 'declineItem' ? ', reason: "Blurred."' : '';
      const answer = await app.graphql(
        `mutation { item: ${mutation}(type: ${type}, id: "${id}"${reason}) { ${status} } }`,
        {},
        tokens,
      );
      if (answer.errors) return errorCodeOf(answer);
      const { state, given, required, approvals } = answer.item;
      return `${state} ${given}/${required}${approvals.totalCount === given ? '' : `, but ${approvals.totalCount} approvals`}`;
    },
  };
}
