import type { Send } from '../sender.js';

/** Leaves a message in the queue. The page `/dev/mail` shows it. */
export const catchMessage: Send = async () => 'caught';

/** Fails every attempt until the operator sets the variables, so that messages stay in the queue. */
export const failUntilConfigured =
  (variables: string): Send =>
  async () => {
    throw new Error(`set ${variables} to send this`);
  };
