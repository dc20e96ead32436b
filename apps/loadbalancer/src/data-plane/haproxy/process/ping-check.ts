/**
 * How HAProxy pings members: it runs a program, as its own user and in its own network namespace,
 * with the member's address as the third argument, and ends it when its time is up.
 * Public source: HAProxy Configuration Manual, "external-check command".
 */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFor, type BalancerFolder } from './balancer-folder.js';

const NAME = 'ping-check';

/** Its path must be absolute; so it is the same for all. */
export const PING_CHECK = `/proc/self/cwd/${NAME}`;

/** @param ping the path of ping(8) */
export async function writePingCheck(folder: BalancerFolder, ping: string): Promise<void> {
  const path = join(folder.path, NAME);
  await writeFor(undefined, path, `#!/bin/sh\nexec '${ping}' -n -q -c 1 -- "$3" >/dev/null 2>&1\n`);
  await chmod(path, 0o755);
}
