import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { onceARun } from './once.js';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What the packaged one would do otherwise than a person's browser: no rules between origins, and one process, which ends with its first page. */
const unusual = ['--disable-web-security', '--allow-running-insecure-content', '--single-process', '--no-zygote'];

/** The packaged browser, and how it is started. Two workers that unpack it at once would be in each other's way. */
async function packagedBrowser(): Promise<LaunchOptions> {
  await onceARun('chromium', () => packaged.executablePath());
  return {
    executablePath: await packaged.executablePath(),
    args: [...args, ...packaged.args.filter((arg) => !unusual.includes(arg))],
  };
}

/** A real browser: the machine's Chromium, or else the one that comes with the development dependencies. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = installed.find((path) => existsSync(path));
  return chromium.launch(executablePath ? { executablePath, args } : await packagedBrowser());
}

/** A browser for tests that skip where there is none, and say so. */
export const browserOrNone = (): Promise<Browser | null> =>
  startBrowser().catch((error: Error) => {
    console.warn(`Tests in a browser are skipped: there is no Chromium here (${error.message.split('\n')[0]}).`);
    return null;
  });
