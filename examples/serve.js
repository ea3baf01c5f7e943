// Serves the files of the page and of the SDK at http://localhost:8080. To use another port, set PORT.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/** Path of the file for a URL path. Paths below /sdk/ are files of dist/sdk, which `npm run sdk` creates. All other files belong to the page. */
const fileOf = (path) =>
  path.startsWith('/sdk/') ? join(root, 'dist', path) : join(root, 'examples/page', path === '/' ? 'index.html' : path);

const server = createServer(async ({ url }, response) => {
  const path = normalize(`/${url.split('?')[0]}`);
  const type = types[extname(fileOf(path))];
  const content = type && (await readFile(fileOf(path)).catch(() => null));
  if (content) response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(content);
  else response.writeHead(404).end();
});

server.listen(Number(process.env.PORT ?? 8080), () => console.log(`The page is at http://localhost:${server.address().port}`));
