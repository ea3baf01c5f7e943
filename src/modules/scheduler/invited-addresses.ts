import { z } from 'zod';
import { Problems } from '../../kernel/declare/problems.js';

/** Keeps one request from writing to half the world. */
const mostAddresses = 100;
const form = z.array(z.email().max(254)).max(mostAddresses);

/** The addresses that a game is sent with, none where there are none; BAD_INPUT names those that are no addresses. */
export function checkAddresses(invitedEmails: unknown): string[] {
  const { data = [], error } = form.safeParse(invitedEmails ?? []);
  const problems = new Problems();
  for (const { path } of error?.issues ?? []) {
    const [index] = path;
    if (typeof index === 'number') problems.add(`input.invitedEmails[${index}]`, 'an e-mail address such as ana@example.com');
    else problems.add('input.invitedEmails', `at most ${mostAddresses} e-mail addresses`);
  }
  problems.refuse();
  return data;
}

/** Addresses as they are compared: in lower case, each once. */
export const folded = (addresses: readonly string[]): string[] => [...new Set(addresses.map((address) => address.toLowerCase()))];
