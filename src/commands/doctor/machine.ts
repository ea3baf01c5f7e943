import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/index.js';
import { nodeProblem } from '../../process/node-version.js';
import { type Finding, failedFinding, findingFromMessage, passedFinding, skippedFinding } from './finding.js';

const [megabyte, gigabyte] = [2 ** 20, 2 ** 30];
const formatSize = (bytes: number): string =>
  bytes < gigabyte ? `${Math.floor(bytes / megabyte)} MB` : `${(bytes / gigabyte).toFixed(1)} GB`;

/** Checks that the Node.js version is new enough. */
export function nodeFinding(version = process.versions.node): Finding {
  const problem = nodeProblem(version);
  return problem ? findingFromMessage(problem) : passedFinding(`v${version}`);
}

/** Memory that a process uses under load, in bytes. See docs/speed.md. */
const memoryPerProcess = 450 * megabyte;

/** Checks that there is enough memory for all processes. A container limit counts if it is lower than the memory of the machine. */
export function memoryFinding(
  { workers }: Pick<Config, 'workers'>,
  limit = process.constrainedMemory(),
  total = totalmem(),
): Finding {
  const isLimited = limit > 0 && limit < total;
  const available = isLimited ? limit : total;
  const message = `${formatSize(available)}${isLimited ? ' (limit)' : ', no limit'}`;
  const requiredMemory = workers * memoryPerProcess;
  return available >= requiredMemory
    ? passedFinding(message)
    : failedFinding(
        `${message}, but ${workers === 1 ? 'the service needs' : `${workers} workers need`} up to ${formatSize(requiredMemory)}`,
        workers === 1 ? 'provide more memory.' : 'provide more memory, or reduce WORKERS.',
      );
}

const canAccess = (path: string, mode?: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** Returns the path if it exists, or else its nearest existing parent. */
async function existingPath(path: string): Promise<string> {
  const isFound = path === dirname(path) || (await canAccess(path));
  return isFound ? path : existingPath(dirname(path));
}

/** Minimum free disk space for the embedded database, in bytes. */
const minFreeSpace = gigabyte;

/** Checks that the data directory is writable and has enough free space. */
export async function diskFindings({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Finding[]> {
  const directory = resolve(dataDir);
  if (databaseUrl !== null) return [skippedFinding('DATABASE_URL is set, so the data is on the disk of the database server')];
  const nearestDirectory = await existingPath(directory);
  if (!(await stat(nearestDirectory)).isDirectory())
    return [failedFinding(`${nearestDirectory} is not a writable directory`, 'set DATA_DIR to a directory.')];
  const { bavail, bsize } = await statfs(nearestDirectory);
  const freeBytes = bavail * bsize;
  const isWritable = await canAccess(nearestDirectory, constants.W_OK);
  const problems = [
    !isWritable &&
      failedFinding(
        `${nearestDirectory} is not writable`,
        'run the service as the owner of this directory, or set DATA_DIR to another directory.',
      ),
    freeBytes < minFreeSpace &&
      failedFinding(
        `${formatSize(freeBytes)} free for ${directory}`,
        'free up at least 1 GB, or set DATA_DIR to a directory on another disk.',
      ),
  ].filter((problem) => problem !== false);
  return problems.length ? problems : [passedFinding(`${formatSize(freeBytes)} free for ${directory}`)];
}
