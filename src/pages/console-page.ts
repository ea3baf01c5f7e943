import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Router } from 'express';
import { demo } from '../demo/tokens.js';
import { html } from '../messaging/html.js';
import { assetPath } from './assets.js';
import { type GzipFile, serveGzipFiles } from './gzip-files.js';
import { alert, headContent, layout, pagePolicy } from './layout.js';

/** URL path of the page. The script of the page interprets the rest of the path. */
const path = '/console';

/** URL path of the built files. Their names contain a hash of their content, so browsers can cache them forever. */
const filesPath = `${path}/assets`;

/** Directories in which the build stores the files: next to the bundled service, or in a checkout that runs from its sources. */
const directories = ['../console', '../../dist/console'].map((directory) => join(import.meta.dirname, directory));

/** Name of the manifest of the documents, which the build writes next to the scripts of the console. */
const manifestName = 'documents.json';

interface ConsoleFiles {
  /** Name of the script that the page loads. */
  readonly entry: string;
  readonly files: readonly GzipFile[];
  /** Compressed manifest of the documents that the script can send. */
  readonly manifest: string;
}

/**
 * Returns the built files. Null if the service runs from its sources and the console has not been built. Not cached, because `npm run dev`
 * changes them.
 */
function consoleFiles(): ConsoleFiles | null {
  for (const directory of directories.filter(existsSync)) {
    const names = readdirSync(directory);
    const entry = names.find((name) => /^console-.*\.js$/.test(name));
    if (!entry || !names.includes(manifestName)) continue;
    const fileNames = names.filter((name) => name.endsWith('.js'));
    const files = fileNames.map((name) => ({ name, bytes: () => readFile(join(directory, name)) }));
    return { entry, files, manifest: join(directory, manifestName) };
  }
  return null;
}

/** Returns the texts of all documents that the console can send. Empty if the console is not built. */
export async function consoleDocuments(): Promise<string[]> {
  const manifest = consoleFiles()?.manifest;
  if (manifest === undefined) return [];
  const json = await promisify(gunzip)(await readFile(manifest));
  return Object.values(JSON.parse(json.toString()) as Record<string, string>);
}

/** Policy of the page. Images may come from any source, because moderators review images that users have submitted. */
const policy = pagePolicy({ 'script-src': "'self'", 'connect-src': "'self'", 'img-src': "'self' https: data:" });

interface ConsoleOptions {
  /** Publishable key with which the console signs users in. If it is null, the console asks for a key. */
  readonly publishableKey: string | null;
  /** Whether the database has the demo data. The page then contains the credentials of the demo admin. */
  readonly hasDemo: boolean;
}

/** Serves the console: a single page with a script that renders all paths. */
export function consolePage({ publishableKey, hasDemo }: ConsoleOptions): Router {
  const demoAttributes = hasDemo
    ? html` data-demo-email="${demo.adminEmail}" data-demo-password="${demo.adminPassword}"`
    : html``;
  const page = (entry: string) =>
    html`<!doctype html>
<html lang="en">
<head>
${headContent('Courtside console')}
<link rel="stylesheet" href="${assetPath('page.css')}">
<link rel="stylesheet" href="${assetPath('console.css')}">
<script type="module" src="${filesPath}/${entry}"></script>
</head>
<body>
<div id="console" data-publishable-key="${publishableKey ?? ''}"${demoAttributes}>
<noscript><main><h1>Courtside console</h1><p class="alarm">The console needs JavaScript. Enable it in your browser.</p></main></noscript>
</div>
</body>
</html>`.markup;
  return Router()
    .get(`${filesPath}/:name`, (request, response, next) => {
      void serveGzipFiles(consoleFiles()?.files ?? [])(request, response, next);
    })
    .get([path, `${path}/{*place}`], ({ path: requested }, response, next) => {
      if (requested.startsWith(`${filesPath}/`)) return next();
      const entry = consoleFiles()?.entry;
      response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html');
      if (entry) response.send(page(entry));
      else
        response
          .status(503)
          .send(layout({ heading: 'Console', links: [] }, alert('The console is not built. Run "npm run build".')));
    });
}
