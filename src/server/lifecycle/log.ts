import { type Logger, pino } from 'pino';

const secretNames = [
  'password',
  'token',
  'authorization',
  'cookie',
  '["pb-api-token"]',
  '["pb-user-token"]',
  '["router-secret"]',
];

/**
 * Creates the log of a process: one JSON line per event on standard output, without secrets. With several workers, each line contains the
 * worker number.
 */
export const createLog = (level: string, worker?: number): Logger =>
  pino({
    level,
    base: worker === undefined ? null : { worker },
    redact: { paths: secretNames.flatMap((name) => pathsOf(name)), censor: '[secret]' },
  });

const pathsOf = (name: string): string[] => {
  const dotted = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${dotted}`, `*.*${dotted}`, `*.*.*${dotted}`];
};
