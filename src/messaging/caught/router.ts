import { Router } from 'express';
import type { PgBoss } from 'pg-boss';
import type { Message } from '../ports.js';
import { findCaught } from './messages-sql.js';
import { mailboxPage } from './page.js';

/** Serves the messages that were caught; `?to=` narrows them to one recipient. */
export function caughtMessages(boss: PgBoss, kinds: readonly Message['kind'][]): Router {
  const router = Router();
  router.use(['/dev/mail', '/dev/mail.json'], (_request, response, next) => {
    // They hold one-time links: no page of another origin, and no cache, may get hold of them.
    response.removeHeader('Access-Control-Allow-Origin');
    response.set({
      'Cache-Control': 'no-store',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
    });
    next();
  });
  router.get('/dev/mail', async ({ query }, response) => {
    const to = recipient(query.to);
    response.type('html').send(mailboxPage(await findCaught(boss, kinds, to), to));
  });
  router.get('/dev/mail.json', async ({ query }, response) => {
    response.json({ messages: await findCaught(boss, kinds, recipient(query.to)) });
  });
  return router;
}

const recipient = (value: unknown): string | null => (typeof value === 'string' && !value.includes('\0') ? value : null);
