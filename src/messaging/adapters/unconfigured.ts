import type { Send } from '../sender.js';

/** Takes a message over by leaving it where it is: in the queue, where the page of caught messages shows it. */
export const caught: Send = async () => 'caught';

/** Keeps a message waiting until the operator has said how it can leave. */
export const missing =
  (variables: string): Send =>
  async () => {
    throw new Error(`set ${variables} to send this`);
  };
