// The page at http://localhost:8080, or at the port that PORT names, with the SDK beside it: files and nothing else.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/** Where a file lies: /sdk/… is the package that npm run sdk has made, all else the page. */
const placeOf = (path) =>
  path.startsWith('/sdk/') ? join(root, 'dist', path) : join(root, 'examples/page', path === '/' ? 'index.html' : path);

const server = createServer(async ({ url }, response) => {
  const path = normalize(`/${url.split('?')[0]}`);
  const type = types[extname(placeOf(path))];
  const content = type && (await readFile(placeOf(path)).catch(() => null));
  if (content) response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(content);
  else response.writeHead(404).end();
});

server.listen(Number(process.env.PORT ?? 8080), () => console.log(`the page is at http://localhost:${server.address().port}`));
