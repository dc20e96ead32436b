/** Entries of a clouds.yaml, for clients that do not read that file themselves. */
import type { PythonEnvironment } from './python-environment.js';
import { outputOf } from './run-program.js';

export interface CloudEntry {
  readonly auth: Readonly<Record<string, string>>;
  readonly region_name: string;
}

/** Read by the YAML library that the clients use. */
export async function readCloudEntry(
  environment: PythonEnvironment,
  path: string,
  name: string,
): Promise<CloudEntry> {
  const program =
    'import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)';
  const json = await outputOf(environment.program('python'), ['-c', program, path]);
  const entry = (JSON.parse(json) as { clouds: Record<string, CloudEntry> }).clouds[name];
  if (!entry) throw new Error(`${path} has no entry ${name}`);
  return entry;
}

/** `auth_url` becomes `OS_AUTH_URL`, and so on. */
export function entryVariables({ auth }: CloudEntry): Record<string, string> {
  return Object.fromEntries(
    Object.entries(auth).map(([name, value]) => [`OS_${name.toUpperCase()}`, value]),
  );
}
