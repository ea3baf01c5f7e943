import { expressionOf } from '../../../kernel/statement.js';

/** SQL: current time of the database. Unlike `now()`, it advances within a transaction. */
export const clockTimestamp = expressionOf<string>(({ time }) => time('clock_timestamp'));
