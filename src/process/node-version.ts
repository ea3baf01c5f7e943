const [minMajor, minMinor] = [22, 17];

/** Returns an error message if the Node.js version is too old. Null if the version is supported. */
export function nodeProblem(version = process.versions.node): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node.js ${version} is too old for Courtside: use version ${minMajor}.${minMinor} or newer. In a checkout, "npm ci" installs one, which "npm start" and other npm scripts use.`;
}
