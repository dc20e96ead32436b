/**
 * HAProxy's Debian package without the service that comes with it: each load balancer has a HAProxy
 * of its own, and one of the machine's would be in their way.
 */
import { rm, writeFile } from 'node:fs/promises';
import { installPackages } from './apt.mjs';
import { run } from './programs.mjs';

const SERVICE = 'haproxy';
/** Asked before a package starts a service, with systemd and without (invoke-rc.d(8)). */
const POLICY = '/usr/sbin/policy-rc.d';
const FORBIDDEN = 101;

/** @returns `{ exitCode, output }` of the installation */
export async function installHaproxy() {
  const isOurs = await forbid();
  try {
    const installed = await installPackages(['haproxy']);
    if (installed.exitCode === 0) await run('update-rc.d', [SERVICE, 'disable']);
    return installed;
  } finally {
    if (isOurs) await rm(POLICY, { force: true });
  }
}

/** @returns whether it was done; a machine with a policy of its own, as containers have, keeps it */
async function forbid() {
  const script = `#!/bin/sh\n[ "$1" = ${SERVICE} ] && exit ${FORBIDDEN}\nexit 0\n`;
  return writeFile(POLICY, script, { flag: 'wx', mode: 0o755 }).then(
    () => true,
    () => false,
  );
}
