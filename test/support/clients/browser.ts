import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core';
import type { Missing } from '../prerequisites.js';
import { oncePerRun } from '../servers/once-per-run.js';
import { importTool, missingTool, toolPath } from './tools.js';

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

/** The parts of `@sparticuz/chromium` that are used here. */
interface PackagedChromium {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> };
  inflate(file: string): Promise<string>;
}

const chromiumPackage = '@sparticuz/chromium';

/** Returns the options to launch Chromium from the npm package `@sparticuz/chromium`, with its shared libraries and fonts. */
async function packagedChromium(): Promise<LaunchOptions> {
  const { default: packaged, inflate } = (await importTool(chromiumPackage)) as PackagedChromium;
  // Workers must not unpack the same files at the same time.
  await oncePerRun('chromium', () =>
    Promise.all([packaged.executablePath(), inflate(toolPath(chromiumPackage, 'bin/al2023.tar.br'))]),
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

/** Path of an installed browser, for systems without the package. */
const installedPath = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path));

const missingPackage = missingTool(chromiumPackage);
const isPackaged = process.platform === 'linux' && process.arch === 'x64' && missingPackage === null;

/**
 * Launches a browser. Prefers the packaged browser: all machines then use the same version, and this version needs a third less CPU time in
 * headless mode.
 */
async function launch(): Promise<Browser> {
  if (!isPackaged && installedPath) return chromium.launch({ executablePath: installedPath, args });
  if (missingPackage) throw new Error(missingPackage.reason);
  return chromium.launch(await packagedChromium());
}

/** The browser of this worker, or the error if it does not start. Playwright closes it when the worker process exits. */
const browser = await launch().catch((error: Error) => error);

/** Reason for skipping tests that need a browser. Null if a browser starts. */
export const missingBrowser: Missing | null =
  browser instanceof Error
    ? { reason: `the browser does not start: ${browser.message.split('\n')[0]}`, isInstallable: true }
    : null;

/** Opens an isolated browser session with its own storage. The caller must close it. */
export async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  if (browser instanceof Error) throw browser;
  return browser.newContext(options);
}
