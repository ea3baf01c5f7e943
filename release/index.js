// Old Node.js versions run this file before they can report their version, so it uses only old syntax and imports make-release.ts last.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node.js ${process.versions.node} is too old to make a release: use version 22.18 or newer, or run "npm run release", which uses the version that "npm ci" installs.`,
  );
  process.exit(1);
}
// The modes of the files in the package must not depend on the settings of the user.
process.umask(0o022);
await import('./make-release.ts');
