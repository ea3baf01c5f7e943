import { reject } from '../../kernel/declare/errors.js';
import { GeneratedType } from '../../kernel/declare/generated.js';
import { holdBy } from '../../kernel/declare/input-rules.js';
import { metaOf } from '../../kernel/declare/meta.js';
import type { Values } from '../../kernel/declare/options.js';
import { allOf } from '../../kernel/declare/problems.js';
import { inputFieldsOf, inputOf } from '../../kernel/write/input.js';
import { valuesOf } from '../../kernel/write/input-values.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';

/** Most images of a sponsor. */
export const mostImages = 100;

/** Names all that is out of bounds in a sponsor and its images. */
export function checkSubmission({ images, size, color, ...sponsor }: Partial<SponsorSubmission>, path: string): void {
  const given = (images ?? []).map((image): Values => ({ ...image }));
  allOf(
    () => valuesOf(metaOf(Sponsor), { ...sponsor }, path),
    () => valuesOf(metaOf(SponsorImage), { size, color }, path),
    () => given.length <= mostImages || reject(`${path}images`, `at most ${mostImages} images`),
    ...given.map((image, index) => () => valuesOf(metaOf(SponsorImage), image, `${path}images[${index}].`)),
  );
}

/** A sponsor with its images, and size and color of the images that state none. */
export type SponsorSubmission = Values & {
  size?: string | null;
  color?: string | null;
  images?: object[] | null;
};

export const SponsorSubmissionInput = new GeneratedType('SponsorSubmission', {
  kind: 'input',
  description:
    'A sponsor with its images. Absent fields keep their values, null clears; images are added or changed, never removed.',
  fields: () => ({
    ...inputFieldsOf(Sponsor),
    size: { type: () => String, description: 'Size of the images that state none.' },
    color: { type: () => String, description: 'Color of the images that state none.' },
    images: {
      type: () => [inputOf(SponsorImage)],
      description: 'Images to add, or by their id to change; at most 100 a sponsor.',
    },
  }),
});
holdBy(SponsorSubmissionInput.name, checkSubmission);
