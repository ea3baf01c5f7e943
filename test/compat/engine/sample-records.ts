import { InvalidValueError } from '../../../compat/engine/bind/invalid-value-error.js';
import { codecsOf, type LegacyRecord } from '../../../compat/engine/index.js';
import { sampleGraph } from './sample-graph.js';
import { sampleRecords } from './sample-tables.js';

/** Problems that the engine finds in the sample tables. */
export const problems: string[] = [];
export const codecs = codecsOf(sampleGraph().schema, sampleRecords, (problem) => problems.push(problem));

/** A tournament with all fields set, in the format of the graph. */
export const completeTournament = {
  id: 't1',
  title: 'Austin Open',
  location: { city: 'Austin', latitude: 30.27, longitude: null },
  startsAt: '2026-03-01T09:30:00.25Z',
  isFeatured: true,
  registrationCount: 12,
  rating: 4.5,
  fee: '12345678901234567.89',
  level: 'NATIONAL',
  tags: ['open'],
  approvals: [{ bodyId: 'b1', status: 'ok' }],
  sanctions: [{ body: 'PPA', isSanctioned: true, levelTitle: 'Gold' }],
  settings: { courts: 4 },
  clubId: 'c1',
  createdAt: '2026-01-01T00:00:00Z',
};

/** Returns the decoded input as JSON, or the message of the `InvalidValueError`. */
export const outcome = (record: LegacyRecord, sent: unknown): string => {
  try {
    return JSON.stringify(codecs.get(record).decode(sent));
  } catch (error) {
    if (error instanceof InvalidValueError) return error.message;
    throw error;
  }
};
