import { reject } from '../../../kernel/declare/errors.js';
import { expression, tableNamed } from '../../../kernel/declare/expression.js';
import { integerInNumber } from '../../../kernel/declare/fields/converted-fields.js';
import { flag, group, id, instant, ref, text } from '../../../kernel/declare/fields/fields.js';
import { visitor } from '../../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';
import { record } from '../../../kernel/declare/record.js';
import { TrackedRecord } from '../../../kernel/declare/tracked-record.js';
import { approvableOptions } from '../approval/approvable.js';
import { ApprovalStatus } from '../approval/approval-status.js';
import { isOwnSponsor, Sponsor } from './sponsor.js';

@record(
  {
    table: 'sponsor_image',
    changeLogColumns: ['sponsorId', 'approval.state'],
    one: 'sponsorImage',
    many: 'sponsorImages',
    read: [visitor],
    write: { policies: staffPolicies() },
    audited: ['sponsorId', 'disabledAt', 'approval.state', 'approval.declinedAt'],
    rootFields: ['one', 'many'],
    check: ({ sponsorId }, write) => sponsorId || write !== 'create' || reject('input.sponsorId', 'the id of the sponsor'),
    order: [
      { field: 'displayOrder', direction: 'ASC' },
      { field: 'createdAt', direction: 'ASC' },
    ],
    ...approvableOptions(
      'SPONSOR_IMAGE',
      (callerId, row) =>
        expression`exists (select from ${tableNamed('sponsor')} s where s.id = ${row}.sponsor_id and ${isOwnSponsor(callerId, row.for('s'))})`,
      'created_at',
    ),
  },
  'Image of a sponsor. It requires as many approvals as its sponsor. Users with the role CONTENT_CONFIRMER and platforms without a user token see all images. Other callers see approved ones and those of their own sponsors.',
)
export class SponsorImage extends TrackedRecord {
  @id('ID of the image.')
  id!: string;

  @ref(() => Sponsor, { one: 'sponsor', many: 'images' }, 'Sponsor that the image belongs to.')
  sponsorId!: string | null;

  @text('URL of the image.')
  url!: string | null;

  @integerInNumber("Position among the sponsor's images, in ascending order. Null sorts like 0.", { nullSortsAs: 0 })
  displayOrder!: number | null;

  @instant('When the image was disabled. Null while it is in use.')
  disabledAt!: string | null;

  @flag('Whether this is the main image of the sponsor.')
  isPrimary!: boolean;

  @text('Size, as free text such as `small` or `large`.')
  size!: string | null;

  @text('Color, as free text such as `light` or `dark`.')
  color!: string | null;

  @group(() => ApprovalStatus, 'Approval status of the image.', { readOnly: true })
  approval!: ApprovalStatus;
}
