import { destination, type Logger, type LoggerOptions, pino } from 'pino';

const secretNames = [
  'password',
  'token',
  'authorization',
  'cookie',
  '["pb-api-token"]',
  '["pb-user-token"]',
  '["router-secret"]',
];

/** With several workers, each line contains the worker number. */
const optionsFor = (level: string, worker?: number): LoggerOptions => ({ level, base: worker === undefined ? null : { worker } });

/** Creates the log of a process: one JSON line per event on standard output, without secrets. */
export const createLog = (level: string, worker?: number): Logger =>
  pino({
    ...optionsFor(level, worker),
    redact: { paths: secretNames.flatMap((name) => pathsOf(name)), censor: '[secret]' },
  });

const pathsOf = (name: string): string[] => {
  const dotted = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${dotted}`, `*.*${dotted}`, `*.*.*${dotted}`];
};

/** Size of the buffer for request lines in bytes, and the maximum time that a line stays in it, in milliseconds. */
const [bufferSize, flushInterval] = [4096, 500];

/**
 * Buffer of standard output for request lines. All logs that `createRequestLines` creates share it, because each buffer adds a listener for
 * the exit of the process.
 */
let standardOutput: ReturnType<typeof destination> | undefined;

function openStandardOutput(): ReturnType<typeof destination> {
  const buffer = destination({ dest: 1, minLength: bufferSize, periodicFlush: flushInterval, sync: true });
  process.once('exit', () => buffer.flushSync());
  return buffer;
}

/**
 * Creates the log for request lines, on standard output. The log does not redact values, because redaction takes longer than most requests.
 * Its lines must therefore never contain values that clients send. Lines are buffered, because a system call per line would take longer
 * than all other work for the line.
 */
export function createRequestLines(level: string, worker?: number): Logger {
  standardOutput ??= openStandardOutput();
  return pino(optionsFor(level, worker), standardOutput);
}
