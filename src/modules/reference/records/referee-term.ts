import { enumeration } from '../../../kernel/declare/enumeration.js';
import { id, int, text, values } from '../../../kernel/declare/fields/fields.js';
import { record } from '../../../kernel/declare/record.js';
import { lookupOptions, OrderedLookup } from './lookup.js';

export const RefereeTermKind = enumeration('RefereeTermKind', 'Vocabulary for referees.', {
  SUSPENSION_TYPE: 'Reasons for suspending a match.',
  CONTESTANT_TYPE: 'Sides of a match: home or guest.',
  MATCH_STATUS: 'Statuses of a match.',
  MATCH_COMPLETED_TYPE: 'Ways in which a match ends.',
  PENALTY_TYPE: 'Types of penalties.',
  RETIREMENT_REASON: "Reasons for a player's retirement from a match.",
  LOG_TYPE: 'Types of entries in the log of a match.',
  TIMEOUT_TYPE: 'Types of timeouts.',
  WARNING_REASON_TYPE: 'Reasons for a warning.',
  REPLAY_REASON_TYPE: 'Reasons for replaying a rally.',
  RALLY_COMPLETED_TYPE: 'Ways in which a rally ends.',
});

@record(
  { ...lookupOptions, table: 'referee_term', one: 'refereeTerm', many: 'refereeTerms' },
  'Term in a vocabulary for referees. Reference data, read-only.',
)
export class RefereeTerm extends OrderedLookup {
  @id('ID of the term: vocabulary and code, such as TIMEOUT_TYPE-1.')
  id!: string;

  @values(RefereeTermKind, 'Vocabulary that contains the term.', { required: true, index: true })
  kind!: keyof typeof RefereeTermKind;

  @text('Numeric code within the vocabulary, as a string.', { required: true, max: 20 })
  code!: string;

  @text('Title in English, such as Medical.', { required: true })
  title!: string;

  @int('Length of a timeout in minutes. Null for other vocabularies.')
  lengthInMinutes!: number | null;
}
