import type { Context } from '../../kernel/context.js';
import type { Item } from './change-approval.js';

/** Tells the owner of an item what befell it in its approval (decision 27): the place where the notification is written. */
export async function announce(_context: Context, _item: Item): Promise<void> {}
