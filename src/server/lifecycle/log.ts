import { type Logger, pino } from 'pino';

const secrets = ['password', 'token', 'authorization', 'cookie', '["pb-api-token"]', '["pb-user-token"]', '["router-secret"]'];

/** Log of the service: one JSON line per event on standard output, without secrets, and with the worker number if there are several workers. */
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
