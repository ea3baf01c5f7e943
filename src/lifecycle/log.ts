import { type Logger, pino } from 'pino';

const secrets = ['password', 'token', 'authorization', 'cookie', '["pb-api-token"]', '["pb-user-token"]', '["router-secret"]'];

/** The service's log: one JSON line an event on standard output, secrets left out wherever they stand, and the worker, where there are several. */
export const createLog = (level: string, worker?: number): Logger =>
  pino({
    level,
    base: worker === undefined ? null : { worker },
    redact: { paths: secrets.flatMap((name) => nested(name)), censor: '[secret]' },
  });

const nested = (name: string): string[] => {
  const dotted = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${dotted}`, `*.*${dotted}`, `*.*.*${dotted}`];
};
