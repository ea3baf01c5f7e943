import { Field, InputType } from 'type-graphql';
import { inputOf } from '../../kernel/write/input.js';
import { Sponsor } from './sponsor.js';
import { SponsorImage } from './sponsor-image.js';

@InputType('SponsorSubmission', {
  description:
    'A sponsor with its images. Absent fields keep their values, null clears; images are added or changed, never removed.',
})
export class SponsorSubmission extends inputOf(Sponsor) {
  @Field(() => String, { nullable: true, description: 'Size of the images that state none.' })
  size?: string | null;

  @Field(() => String, { nullable: true, description: 'Color of the images that state none.' })
  color?: string | null;

  @Field(() => [inputOf(SponsorImage)], {
    nullable: true,
    description: 'Images to add, or by their id to change; at most 100 a sponsor.',
  })
  images?: object[] | null;
}
