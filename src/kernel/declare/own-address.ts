import type { Context } from './context.js';

/** Under which address clients reach the service: its public one, else that by which a trusted proxy was reached. */
export const ownAddress = ({ client, services: { settings } }: Pick<Context, 'client' | 'services'>): string =>
  settings.publicUrl ?? client.origin ?? `http://localhost:${settings.port}`;
