import type { Context } from '../context.js';

/** Public URL of the service: the configured one, the one from a trusted proxy, or else localhost. */
export const publicUrlOf = ({ client, services: { settings } }: Pick<Context, 'client' | 'services'>): string =>
  settings.publicUrl ?? client.origin ?? `http://localhost:${settings.port}`;
