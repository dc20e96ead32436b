/** What docker-compose.yml says. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Composed {
  readonly image: string;
  readonly command?: readonly string[];
  /** Null for what is empty. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
  readonly network_mode?: string;
  readonly pid?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

/** @param path from the root of the repository */
export function read(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/** Its services, by their names, with the defaults of its variables. */
export const { services: composed } = parse(
  read('docker-compose.yml').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
  { merge: true, maxAliasCount: -1 },
) as { services: Readonly<Record<string, Composed>> };

/** The container, and so the name, that answers requests to a service. */
export function apiName(service: string): string {
  return service === 'compute' ? 'compute-api' : service;
}
