/** What docker-compose.yml says. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Composed {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

/** @param path from the root of the repository */
export function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Its services, by their names. */
export const { services: composed } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Composed>>;
};
