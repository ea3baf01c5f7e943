// Old Node.js versions run this file before they can report their version, so it uses only old syntax and imports build.ts last.
import { existsSync } from 'node:fs';

if (existsSync('node_modules/rolldown')) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 18)) {
    console.error(
      `Node.js ${process.versions.node} is too old to build Courtside: use version 22.18 or newer, or run "npm ci", which installs one that npm scripts use.`,
    );
    process.exit(1);
  }
  await import('./build.ts');
} else if (!existsSync('dist/src/main.js')) {
  console.error('The build needs the development dependencies. To install them, run "npm ci".');
  process.exit(1);
}
// Otherwise this is a production install, which runs the existing build. It needs only Node.js 22.17, which the started program checks.
