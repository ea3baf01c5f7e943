import { closeGracefully } from '../server/lifecycle/close-gracefully.js';
import { OpenResources } from '../server/lifecycle/open-resources.js';

/**
 * Starts a command that runs until a stop signal, and returns its exit code. `start` adds the resources to close. A second signal that
 * arrives more than 1 s after the first kills the process with SIGKILL. This is safe, because child processes and the embedded database
 * stop when their parent process exits.
 */
export async function runUntilStopped(start: (resources: OpenResources) => Promise<void>): Promise<number> {
  const resources = new OpenResources();
  const shutdown = closeGracefully(resources, () => process.kill(process.pid, 'SIGKILL'));
  try {
    await start(resources);
  } catch (error) {
    // After a stop signal, any step of the startup can fail. These errors are not reported.
    if (shutdown.hasStarted) return 0;
    await resources.close();
    throw error;
  }
  return 0;
}
