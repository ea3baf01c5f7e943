import { existsSync } from 'node:fs';
import packaged from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The packaged one comes without the rules that hold between origins, as no person's browser does. */
const packagedArgs = () =>
  packaged.args.filter((arg) => !['--disable-web-security', '--allow-running-insecure-content'].includes(arg));

/** A real browser: the machine's Chromium, or else the one that comes with the development dependencies. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = installed.find((path) => existsSync(path)) ?? (await packaged.executablePath());
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args: executablePath.startsWith('/tmp') ? packagedArgs() : args });
}

/** A browser for tests that skip where there is none, and say so. */
export const browserOrNone = (): Promise<Browser | null> =>
  startBrowser().catch((error: Error) => {
    console.warn(`Tests in a browser are skipped: there is no Chromium here (${error.message.split('\n')[0]}).`);
    return null;
  });
