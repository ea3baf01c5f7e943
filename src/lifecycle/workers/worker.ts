import type { Config } from '../../config.js';
import { separateRequestIds } from '../../gateway/request-id.js';
import type { Opened } from '../opened.js';
import { serve } from '../serve.js';
import type { FromWorker, ToWorker, WorkerPart } from './messages.js';

const tell = (message: FromWorker): void => void process.send?.(message);

/** Tasks assigned by the primary. */
function part(): Promise<WorkerPart> {
  const told = new Promise<WorkerPart>((resolve) => {
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'part') resolve(message);
      else tell({ kind: 'answer' });
    });
  });
  tell({ kind: 'waits' });
  return told;
}

/** Serves requests as one of several workers. */
export async function start(config: Config, opened: Opened): Promise<void> {
  const given = await part();
  separateRequestIds(given.worker, given.of);
  tell({ kind: 'up', ...(await serve(config, opened, given)) });
}
