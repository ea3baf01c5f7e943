import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.js';
import { type Finding, notYet, right, wrong } from './finding.js';

const [megabyte, gigabyte] = [2 ** 20, 2 ** 30];
const sized = (bytes: number): string =>
  bytes < gigabyte ? `${Math.floor(bytes / megabyte)} MB` : `${(bytes / gigabyte).toFixed(1)} GB`;

/** Whether this Node, or another, is new enough. */
export function nodeFinding(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 17)
    ? right(`v${version}`)
    : wrong(`v${version} is older than 22.17`, 'use npm start, which brings its own, or install a newer one.');
}

/** What a process takes under load, in bytes: see docs/speed.md. */
const ofProcess = 450 * megabyte;

/** Whether the processes have room: a limit of the container or of the system, else the memory of the machine. */
export function memoryFinding(
  { workers }: Pick<Config, 'workers'>,
  limit = process.constrainedMemory(),
  total = totalmem(),
): Finding {
  const isLimited = limit > 0 && limit < total;
  const room = isLimited ? limit : total;
  const says = `${sized(room)}${isLimited ? ' are the limit' : ', no limit'}`;
  const needed = workers * ofProcess;
  return room >= needed
    ? right(says)
    : wrong(
        `${says}, and ${workers === 1 ? 'the service takes' : `${workers} workers take`} up to ${sized(needed)}`,
        workers === 1 ? 'raise the limit.' : 'raise the limit, or set WORKERS to fewer.',
      );
}

/** The directory itself, or the nearest one above it that is there. */
async function nearest(directory: string): Promise<string> {
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  return isThere || directory === dirname(directory) ? directory : nearest(dirname(directory));
}

/** Free space from which on the embedded database has room to write its log for a while. */
const enough = gigabyte;

/** Whether the data directory can be written to, and has room. */
export async function diskFindings({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Finding[]> {
  const directory = resolve(dataDir);
  if (databaseUrl !== null) return [notYet('DATABASE_URL is set: no data directory here, see to the disk of that server')];
  const place = await nearest(directory);
  const { bavail, bsize } = await statfs(place);
  const free = bavail * bsize;
  const isWritable = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  return [
    ...(isWritable ? [] : [wrong(`${place} cannot be written to`, 'start as its owner, or set DATA_DIR to another directory.')]),
    ...(free >= enough
      ? isWritable
        ? [right(`${sized(free)} free for ${directory}`)]
        : []
      : [wrong(`${sized(free)} free for ${directory}`, 'make room for 1 GB at least, or set DATA_DIR to another disk.')]),
  ];
}
