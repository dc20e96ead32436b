import { hash } from 'node:crypto';

/** Distinguishes the hosts of a project's servers, and reveals nothing else; empty without a host. */
export function hostIdOf(of: { readonly host: string | null; readonly projectId: string }): string {
  return of.host === null ? '' : hash('sha224', of.projectId + of.host, 'hex');
}
