import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packaged, { inflate } from '@sparticuz/chromium';
import { type BrowserContext, type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core';
import type { Missing } from '../prerequisites.js';
import { oncePerRun } from '../servers/once-per-run.js';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Arguments of the package that disable the same-origin policy or run the browser as a single process, which exits with its first page. */
const excludedArgs = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

/** Returns the options to launch Chromium from the npm package `@sparticuz/chromium`, with its shared libraries and fonts. */
async function packagedChromium(): Promise<LaunchOptions> {
  // Workers must not unpack the same files at the same time.
  await oncePerRun('chromium', () =>
    Promise.all([packaged.executablePath(), inflate('node_modules/@sparticuz/chromium/bin/al2023.tar.br')]),
  );
  return {
    executablePath: await packaged.executablePath(),
    args: [...args, ...packaged.args.filter((arg) => !excludedArgs.includes(arg))],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(tmpdir(), 'al2023/lib'),
      FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
    },
  };
}

/** Path of an installed browser, for systems that the package does not support. */
const installedPath = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path));

const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/**
 * Launches a browser. Prefers the packaged one: all machines then use the same version, and it needs a third less CPU time in headless
 * mode.
 */
const launch = async () =>
  chromium.launch(isPackaged || !installedPath ? await packagedChromium() : { executablePath: installedPath, args });

/** The browser of this worker, or the error if it does not start. Playwright closes it when the worker process exits. */
const browser = await launch().catch((error: Error) => error);

/** Reason for skipping tests that need a browser. Null if a browser starts. */
export const missingBrowser: Missing | null =
  browser instanceof Error ? { reason: `needs Chromium: ${browser.message.split('\n')[0]}`, isInstallable: true } : null;

/** Opens an isolated browser session with its own storage. The caller must close it. */
export async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  if (browser instanceof Error) throw browser;
  return browser.newContext(options);
}
