import type { Config } from '../../config/index.js';
import { separateRequestIds } from '../../graphql/http/response-headers.js';
import type { OpenResources } from '../lifecycle/open-resources.js';
import { serve } from '../lifecycle/serve.js';
import type { PrimaryMessage, WorkerMessage, WorkerTask } from './messages.js';

const sendToPrimary = (message: WorkerMessage): void => void process.send?.(message);

/** Receives the task of this worker from the primary, and responds to health checks. */
function receiveTask(): Promise<WorkerTask> {
  const task = new Promise<WorkerTask>((resolve) => {
    process.on('message', (message: PrimaryMessage) => {
      if (message.kind === 'task') resolve(message);
      else sendToPrimary({ kind: 'healthy' });
    });
  });
  sendToPrimary({ kind: 'waiting' });
  return task;
}

/** Serves requests as one of several workers. */
export async function start(config: Config, resources: OpenResources): Promise<void> {
  const task = await receiveTask();
  separateRequestIds(task.worker, task.workerCount);
  sendToPrimary({ kind: 'ready', ...(await serve(config, resources, task)) });
}
