import { registerEnumType } from 'type-graphql';
import { id, int, text, values } from '../../../kernel/declare/fields/fields.js';
import { record } from '../../../kernel/declare/record.js';
import { lookup, OrderedLookup } from './lookup.js';

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
  description: 'A vocabulary for referees.',
  valuesConfig: {
    SUSPENSION_TYPE: { description: 'Reasons for the suspension of a match.' },
    CONTESTANT_TYPE: { description: 'Sides of a match: home or guest.' },
    MATCH_STATUS: { description: 'Statuses of a match.' },
    MATCH_COMPLETED_TYPE: { description: 'Ways in which a match ends.' },
    PENALTY_TYPE: { description: 'Types of penalties.' },
    RETIREMENT_REASON: { description: 'Reasons for the retirement of a player from a match.' },
    LOG_TYPE: { description: 'Types of entries in the log of a match.' },
    TIMEOUT_TYPE: { description: 'Types of timeouts.' },
    WARNING_REASON_TYPE: { description: 'Reasons for a warning.' },
    REPLAY_REASON_TYPE: { description: 'Reasons for the replay of a rally.' },
    RALLY_COMPLETED_TYPE: { description: 'Ways in which a rally ends.' },
  },
});

@record(
  { ...lookup, table: 'referee_term', one: 'refereeTerm', many: 'refereeTerms' },
  'A term of a vocabulary for referees. Reference data, read-only.',
)
export class RefereeTerm extends OrderedLookup {
  @id('ID of the term: vocabulary and code, such as TIMEOUT_TYPE-1.')
  id!: string;

  @values(RefereeTermKind, 'Vocabulary of the term.', { required: true, index: true })
  kind!: keyof typeof RefereeTermKind;

  @text('Code within the vocabulary, a number as text.', { required: true, max: 20 })
  code!: string;

  @text('Title in English, such as Medical.', { required: true })
  title!: string;

  @int('Length of a timeout in minutes. Null for other vocabularies.')
  lengthInMinutes!: number | null;
}
