// Node.js versions before 22.18 cannot run TypeScript, so this file checks the version before it loads build.ts.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node.js ${process.versions.node} is too old to build Courtside: use version 22.18 or newer, or run "npm install" again to install one in node_modules.`,
  );
  process.exit(1);
}
await import('./build.ts');
