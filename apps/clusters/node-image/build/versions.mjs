/** The contents of node images: versions.json, checked against the Go modules' own files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StepError } from '../../../../scripts/lib/programs.mjs';

/** The folder of the node image's sources. */
export const NODE_IMAGE = fileURLToPath(new URL('..', import.meta.url));

const table = JSON.parse(readFileSync(join(NODE_IMAGE, 'versions.json'), 'utf8'));

/** Supported versions of Kubernetes, the newest first. */
export const KUBERNETES_VERSIONS = Object.keys(table.kubernetes);

/**
 * @param kubernetes one of KUBERNETES_VERSIONS
 * @returns the version of each part by its name, `kubernetes` among them
 * @throws StepError
 */
export function versionsOf(kubernetes) {
  const line = table.kubernetes[kubernetes];
  if (line === undefined) {
    const known = KUBERNETES_VERSIONS.join(', ');
    throw new StepError(`There is no image of Kubernetes ${kubernetes}, only of ${known}`);
  }
  return { kubernetes, ...line, ...table.every };
}

export const DEBIAN = table.debian;

/** The go.mod of a minor version of Kubernetes; the newest has the usual name. */
export function modFileOf(kubernetes) {
  const [major, minor] = kubernetes.split('.');
  return kubernetes === KUBERNETES_VERSIONS[0] ? 'go.mod' : `go-${major}.${minor}.mod`;
}
