/** Which modules a Go program was built of, as `go version -m` prints them. */

/** @returns `{ path, version, sum }` of each; a module that another one replaces is left out for that one */
export function goModulesOf(text) {
  const modules = [];
  for (const line of text.split('\n')) {
    const [, kind, path, version, sum] = line.split('\t');
    if (kind === 'dep') modules.push({ path, version, sum: sum || undefined });
    if (kind === '=>') modules.splice(-1, 1, { path, version, sum: sum || undefined });
  }
  return modules;
}
