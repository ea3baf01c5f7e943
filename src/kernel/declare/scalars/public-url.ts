import type { Context } from '../context.js';

/** Returns the public URL of the service: the configured one, else the one from a trusted proxy, else localhost. */
export const publicUrlOf = ({ client, services: { settings } }: Pick<Context, 'client' | 'services'>): string =>
  settings.publicUrl ?? client.origin ?? `http://localhost:${settings.port}`;
