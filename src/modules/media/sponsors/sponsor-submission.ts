import { reject } from '../../../kernel/declare/errors.js';
import { GeneratedType } from '../../../kernel/declare/fields/generated.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { addInputRules } from '../../../kernel/declare/input-rules.js';
import { metaOf } from '../../../kernel/declare/meta.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import { inputFieldsOf, inputOf } from '../../../kernel/write/input.js';
import { valuesOf } from '../../../kernel/write/input-values.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';

/** Maximum number of images per sponsor. */
export const maxSponsorImages = 100;

/** Validates a sponsor and its images. Reports all problems together. */
export function checkSubmission({ images, size, color, ...sponsor }: Partial<SponsorSubmission>, path: string): void {
  const submittedImages = (images ?? []).map((image): Values => ({ ...image }));
  runChecks(
    () => valuesOf(metaOf(Sponsor), { ...sponsor }, path),
    () => valuesOf(metaOf(SponsorImage), { size, color }, path),
    () => submittedImages.length <= maxSponsorImages || reject(`${path}images`, `at most ${maxSponsorImages} images`),
    ...submittedImages.map((image, index) => () => valuesOf(metaOf(SponsorImage), image, `${path}images[${index}].`)),
  );
}

/** Sponsor with its images, and the default size and color of the images. */
export type SponsorSubmission = Values & {
  size?: string | null;
  color?: string | null;
  images?: object[] | null;
};

export const SponsorSubmissionInput = new GeneratedType('SponsorSubmission', {
  kind: 'input',
  description:
    'Sponsor with its images. Absent fields stay unchanged. Null clears a field. Images are added or updated, never deleted.',
  fields: () => ({
    ...inputFieldsOf(Sponsor),
    size: { type: () => String, description: 'Default size of the images.' },
    color: { type: () => String, description: 'Default color of the images.' },
    images: {
      type: () => [inputOf(SponsorImage)],
      description: 'Images to add, or to update by their ID. A sponsor can have at most 100 images.',
    },
  }),
});
addInputRules(SponsorSubmissionInput.name, checkSubmission);
