import { registerEnumType } from 'type-graphql';
import { id, int, text, values } from '../../kernel/declare/fields.js';
import { anyone } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { nobodyWrites } from '../../kernel/declare/writers.js';

export const RefereeTermKind = {
  SUSPENSION_TYPE: 'SUSPENSION_TYPE',
  CONTESTANT_TYPE: 'CONTESTANT_TYPE',
  MATCH_STATUS: 'MATCH_STATUS',
  MATCH_COMPLETED_TYPE: 'MATCH_COMPLETED_TYPE',
  PENALTY_TYPE: 'PENALTY_TYPE',
  RETIREMENT_REASON: 'RETIREMENT_REASON',
  LOG_TYPE: 'LOG_TYPE',
  TIMEOUT_TYPE: 'TIMEOUT_TYPE',
  WARNING_REASON_TYPE: 'WARNING_REASON_TYPE',
  REPLAY_REASON_TYPE: 'REPLAY_REASON_TYPE',
  RALLY_COMPLETED_TYPE: 'RALLY_COMPLETED_TYPE',
} as const;
registerEnumType(RefereeTermKind, {
  name: 'RefereeTermKind',
  description: 'The vocabularies of referees.',
  valuesConfig: {
    SUSPENSION_TYPE: { description: 'Why a match is suspended.' },
    CONTESTANT_TYPE: { description: 'Sides of a match: home, guest.' },
    MATCH_STATUS: { description: 'Where a match stands.' },
    MATCH_COMPLETED_TYPE: { description: 'How a match was completed.' },
    PENALTY_TYPE: { description: 'Kinds of penalties.' },
    RETIREMENT_REASON: { description: 'Why somebody retires from a match.' },
    LOG_TYPE: { description: 'Kinds of entries of the log of a match.' },
    TIMEOUT_TYPE: { description: 'Kinds of time-outs.' },
    WARNING_REASON_TYPE: { description: 'Why somebody is warned.' },
    REPLAY_REASON_TYPE: { description: 'Why a rally is replayed.' },
    RALLY_COMPLETED_TYPE: { description: 'How a rally was completed.' },
  },
});

@record(
  {
    table: 'referee_term',
    one: 'refereeTerm',
    many: 'refereeTerms',
    read: [anyone],
    write: nobodyWrites,
    rootFields: ['one', 'many'],
    order: [{ field: 'position', direction: 'ASC' }],
  },
  'A term of one of the vocabularies of referees. Reference data, read only.',
)
export class RefereeTerm {
  @id('Id: the vocabulary and the code, such as TIMEOUT_TYPE-1.')
  id!: string;

  @values(RefereeTermKind, 'The vocabulary.', { required: true, index: true })
  kind!: keyof typeof RefereeTermKind;

  @text('Code within the vocabulary, a number as text.', { required: true, max: 20 })
  code!: string;

  @text('Title in English, such as Medical.', { required: true })
  title!: string;

  @int('Length of a timeout in minutes; unset for other vocabularies.')
  lengthInMinutes!: number | null;

  @int('Place in the list as published.', { secret: true, readOnly: true })
  position!: number | null;
}
