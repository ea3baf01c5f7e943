import type { Context } from '../../kernel/context.js';
import type { Player } from './send-to-players.js';

/** Tells players inside the service what a league wrote to them (decision 27): the place where the notification is written. */
export async function announce(_context: Context, _players: readonly Player[], _text: string): Promise<void> {}
