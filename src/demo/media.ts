import slugify from '@sindresorhus/slugify';
import { Approval } from '../modules/media/approval/approval.js';
import { ApprovalComment } from '../modules/media/approval/approval-comment.js';
import type { ApprovalItemType, ApprovalStatus } from '../modules/media/approval/approval-status.js';
import { Sponsor } from '../modules/media/sponsors/sponsor.js';
import { SponsorImage } from '../modules/media/sponsors/sponsor-image.js';
import { Sponsorship } from '../modules/media/sponsors/sponsorship.js';
import { Biography } from '../modules/media/user-content/biography.js';
import { UserImage, UserImageType } from '../modules/media/user-content/user-image.js';
import { type DemoContext, type DemoUser, fixedOrRandomId } from './context.js';
import type { RecordDraft } from './insert-sql.js';
import { logoPicture, playerPicture } from './pictures.js';

const names = [
  'Volley',
  'Baseline',
  'Third Shot',
  'Kitchen',
  'Northpaw',
  'Copper Court',
  'Hightop',
  'Dinkwell',
  'Lineside',
  'Redwood',
  'Sidespin',
  'Paddlecraft',
];
const businesses: readonly [title: string, description: string][] = [
  ['Paddles', 'Carbon-fiber paddles, shaped and finished by hand.'],
  ['Footwear', 'Court shoes with a stable sole for quick changes of direction.'],
  ['Apparel', 'Lightweight apparel that dries quickly between matches.'],
  ['Nets & Courts', 'Portable nets and durable court lines.'],
  ['Nutrition', 'Energy bars and drinks for long tournament days.'],
];
const sizes = ['small', 'medium', 'large'];
const colors = ['light', 'dark'];

/** Number of approvals that an item requires, and number that it has received. */
type Progress = readonly [required: number, given: number];
const sponsorProgress: readonly { weight: number; value: Progress }[] = [
  { weight: 5, value: [0, 0] },
  { weight: 3, value: [1, 1] },
  { weight: 4, value: [2, 2] },
  { weight: 2, value: [2, 1] },
  { weight: 2, value: [2, 0] },
  { weight: 2, value: [1, 0] },
];

const imageReasons = ['The face is not visible.', 'The image is blurry.', 'The image shows the logo of another platform.'];
const textReasons = [
  'Please remove your phone number.',
  'This is the biography of another player.',
  'Please write complete sentences.',
];
const remarks = [
  'Can we get a version in a higher resolution?',
  'The colors look good now.',
  'I asked the player for another image.',
  'Looks good to me.',
];

const strengths = [
  'a patient third-shot drop',
  'quick hands at the net',
  'a heavy topspin serve',
  'resets from any position',
  'a two-handed backhand',
];
const openingSentences = [
  'picked up a paddle at a family picnic',
  'switched from tennis',
  'played badminton at school',
  'learned the game in a parking lot',
];
const dayJobs = [
  'teaches chemistry',
  'builds bridges',
  'runs a bakery',
  'writes software',
  'flies cargo planes',
  'works as a nurse',
];

function biographyOf({ faker }: DemoContext, { firstName, city }: DemoUser): string {
  const pickOne = (from: readonly string[]) => faker.helpers.arrayElement(from);
  return `${firstName} ${pickOne(openingSentences)}, ${pickOne(dayJobs)} in ${city} during the week, and is known for ${pickOne(strengths)}.`;
}

/** Collects approvals and comments of items, to insert them together. */
class ApprovalLog {
  readonly approvals: RecordDraft<Approval>[] = [];
  readonly comments: RecordDraft<ApprovalComment>[] = [];

  constructor(readonly context: DemoContext) {}

  /**
   * Adds the approvals that the item has received: first from the admin, then from the platform. Sometimes adds a comment. Returns the
   * approval state.
   */
  add(itemType: ApprovalItemType, itemId: string, [required, given]: Progress): RecordDraft<ApprovalStatus> {
    const { admin, day, faker, platform } = this.context;
    const approvers: RecordDraft<Approval>[] = [{ approvedById: admin.id }, { approvedByPlatformId: platform.id }];
    for (const approver of approvers.slice(0, given)) {
      this.approvals.push({
        id: faker.string.uuid(),
        itemType,
        itemId,
        approvedAt: day(-faker.number.int({ min: 1, max: 30 }), 10),
        ...approver,
      });
    }
    if (given < required && faker.datatype.boolean(0.4)) {
      const content = faker.helpers.arrayElement(remarks);
      this.comments.push({
        id: faker.string.uuid(),
        itemId,
        content,
        createdAt: day(-1, faker.number.int(23)),
        authorId: admin.id,
      });
    }
    return { state: given < required ? 'PENDING' : 'APPROVED', required, given };
  }

  /** Randomly approves (70%), declines (10%) or leaves pending (20%) an image or biography of a user. Returns its approval status. */
  addUserContent(itemType: ApprovalItemType, itemId: string, reasons: readonly string[]): RecordDraft<ApprovalStatus> {
    const { day, faker } = this.context;
    const random = faker.number.int(9);
    if (random > 0) return this.add(itemType, itemId, [1, random > 2 ? 1 : 0]);
    const declineReason = faker.helpers.arrayElement(reasons);
    const declinedAt = day(-2, 9);
    this.comments.push({
      id: `${itemId}-decline`,
      itemId,
      content: declineReason,
      isDecline: true,
      createdAt: declinedAt,
      authorId: this.context.admin.id,
    });
    return {
      state: 'DECLINED',
      required: 1,
      given: 0,
      declinedAt,
      declineReason,
    };
  }
}

async function insertSponsors(log: ApprovalLog): Promise<void> {
  const { context } = log;
  const { day, faker, insert, players, user } = context;
  const images: RecordDraft<SponsorImage>[] = [];
  const brands = names.flatMap((name) => businesses.map(([trade, description]) => ({ title: `${name} ${trade}`, description })));
  const sponsors = faker.helpers.arrayElements(brands, 60).map(({ title, description }, index): RecordDraft<Sponsor> => {
    const id = fixedOrRandomId('demo-sponsor', index, faker.string.uuid());
    const site = `https://courtside.test/sponsors/${slugify(title)}`;
    const progress = faker.helpers.weightedArrayElement([...sponsorProgress]);
    const count = faker.number.int({ min: 1, max: 3 });
    for (let position = 1; position <= count; position++) {
      const image = faker.string.uuid();
      const appearance = { size: faker.helpers.arrayElement(sizes), color: faker.helpers.arrayElement(colors) };
      const approval = log.add('SPONSOR_IMAGE', image, progress);
      images.push({
        id: image,
        sponsorId: id,
        url: logoPicture(title, index, appearance.color),
        displayOrder: position,
        isPrimary: position === 1,
        ...appearance,
        approval,
      });
    }
    return {
      id,
      userId: index < 3 ? user.id : faker.helpers.arrayElement(players).id,
      title,
      description,
      url: site,
      displayOrder: index + 1,
      createdAt: day(-faker.number.int({ min: 31, max: 400 }), 15),
      startedAt: day(-faker.number.int({ min: 1, max: 30 })),
      disabledAt: index % 12 === 11 ? day(-1) : null,
      isPrimary: index === 0,
      approval: log.add('SPONSOR', id, index === 0 ? [1, 1] : progress),
    };
  });
  log.comments.push({
    id: 'demo-comment',
    itemId: 'demo-sponsor',
    content: 'Thank you, the new logo looks good.',
    createdAt: day(-2, 11),
    authorId: context.admin.id,
  });
  await insert(Sponsor, sponsors);
  await insert(SponsorImage, images);
  // Every third sponsor supports two players in addition to its owner.
  const sponsorsWithUsers = sponsors.filter((_, index) => index % 3 === 0);
  const sponsorships = sponsorsWithUsers.flatMap(({ id: sponsorId }, index) =>
    players.slice(2 * index, 2 * index + 2).map(
      ({ id: userId }, position): RecordDraft<Sponsorship> => ({
        id: faker.string.uuid(),
        sponsorId,
        userId,
        startedAt: day(-30 - index),
        isPrimary: position === 0,
      }),
    ),
  );
  await insert(Sponsorship, sponsorships);
}

/** Inserts images and biographies of 200 players. */
async function insertUserContent(log: ApprovalLog): Promise<void> {
  const { context } = log;
  const { day, faker, insert, players } = context;
  const contentPlayers = players.slice(0, 200);
  const randomCreationTime = () => day(-faker.number.int({ min: 31, max: 500 }), faker.number.int(23));
  const images = contentPlayers.flatMap((player, index) =>
    faker.helpers.arrayElements(Object.values(UserImageType), { min: 1, max: 3 }).map((type): RecordDraft<UserImage> => {
      const id = faker.string.uuid();
      return {
        id,
        userId: player.id,
        type,
        url: playerPicture(player, type, index),
        createdAt: randomCreationTime(),
        approval: log.addUserContent('USER_IMAGE', id, imageReasons),
      };
    }),
  );
  const biographies = contentPlayers.map((player): RecordDraft<Biography> => {
    const id = faker.string.uuid();
    const text = biographyOf(context, player);
    return {
      id,
      userId: player.id,
      text,
      createdAt: randomCreationTime(),
      approval: log.addUserContent('BIOGRAPHY', id, textReasons),
    };
  });
  await insert(UserImage, images);
  await insert(Biography, biographies);
}

/** Inserts sponsors, images and biographies in all approval states. */
export async function insertMedia(context: DemoContext): Promise<void> {
  const log = new ApprovalLog(context);
  await insertSponsors(log);
  await insertUserContent(log);
  await context.insert(Approval, log.approvals);
  await context.insert(ApprovalComment, log.comments);
}
