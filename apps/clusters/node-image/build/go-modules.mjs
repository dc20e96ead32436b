/** The modules of a Go program, as printed by `go version -m`. */

/** @returns `{ path, version, sum }` of each, Go's own library (`stdlib`) first; a module that another one replaces is left out for that one */
export function goModulesOf(text) {
  const [first, ...lines] = text.split('\n');
  const modules = [{ path: 'stdlib', version: first.split(': go').at(-1), sum: undefined }];
  for (const line of lines) {
    const [, kind, path, version, sum] = line.split('\t');
    if (kind === 'dep') modules.push({ path, version, sum: sum || undefined });
    if (kind === '=>') modules.splice(-1, 1, { path, version, sum: sum || undefined });
  }
  return modules;
}
