const [minMajor, minMinor] = [22, 17];

/** Says that a Node.js version is too old, and how to get a newer one. Null if it is new enough. */
export function nodeProblem(version = process.versions.node): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node.js ${version} is too old: use version ${minMajor}.${minMinor} or newer, or run "npm start", which uses the version in node_modules.`;
}
