import { expressionOf } from '../../../kernel/statement.js';

/** This very moment by the clock of the database. */
export const thisMoment = expressionOf<string>(({ time }) => time('clock_timestamp'));
