/** Whether this process may make what OVN needs: a network namespace, and devices in it. */
import { access, readFile } from 'node:fs/promises';
import { findProgram } from '@cumulet/common/programs/find-program';

/** The system's own programs that start OVN's. */
const TOOLS = ['ip', 'mknod', 'mount', 'nsenter', 'setpriv', 'sh', 'unshare'];
const FOLDERS = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Numbers of capabilities. Public source: linux/capability.h. */
const NEEDED = { NET_ADMIN: 12, NET_RAW: 13, SETUID: 7, SETGID: 6, SYS_ADMIN: 21, MKNOD: 27 };

/** @returns why not; undefined if it may */
export async function whyNoOvn(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  if (process.getuid?.() !== 0) return 'only root may plug in the devices of guests';
  const status = await readFile('/proc/self/status', 'utf8');
  const held = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? '0'}`);
  const lacking = Object.entries(NEEDED).filter(([, bit]) => ((held >> BigInt(bit)) & 1n) === 0n);
  if (lacking.length > 0)
    return `this root lacks capabilities: ${lacking.map(([name]) => name).join(', ')}`;
  for (const tool of TOOLS)
    if ((await findProgram(tool, FOLDERS)) === undefined) return `${tool} is not installed`;
  const hasTun = await access('/dev/net/tun').then(
    () => true,
    () => false,
  );
  return hasTun ? undefined : 'there is no /dev/net/tun';
}
