/** Privileges and devices that a host's container was not given, and which agents cannot run without them. */
import { open, readFile } from 'node:fs/promises';
import type { AgentKind } from '../door/agent-kinds.js';

/** Numbers of capabilities. Public source: linux/capability.h. */
const FOR_OVN = {
  SETGID: 6,
  SETUID: 7,
  NET_ADMIN: 12,
  NET_RAW: 13,
  // To see which processes of other users belong to the switch: an agent that is replaced leaves it running.
  SYS_PTRACE: 19,
  SYS_ADMIN: 21,
  MKNOD: 27,
} as const;

const TUN = '/dev/net/tun';

export interface HostFacts {
  readonly uid: number;
  /** The contents of `/proc/self/status`. */
  readonly status: string;
  /** The contents of `/proc/self/attr/current`: the profile of AppArmor. */
  readonly profile: string;
  /** Why /dev/net/tun cannot be opened. */
  readonly tunError: string | undefined;
}

export type Lacks = Readonly<Partial<Record<AgentKind, string>>>;

export async function readHostFacts(): Promise<HostFacts> {
  const [status, profile] = await Promise.all(
    ['status', 'attr/current'].map((file) =>
      readFile(`/proc/self/${file}`, 'utf8').catch(() => ''),
    ),
  );
  const tunError = await open(TUN, 'r+').then(
    async (file) => {
      await file.close();
      return undefined;
    },
    (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'it cannot be opened',
  );
  return { uid: process.geteuid?.() ?? -1, status: status ?? '', profile: profile ?? '', tunError };
}

/** By kind of agent, a sentence with the option of `docker run` that gives what lacks. Pure. */
export function lacksOf(facts: HostFacts): Lacks {
  const reason = whyNoSwitch(facts);
  return reason === undefined ? {} : { network: `OVN cannot run on this host: ${reason}.` };
}

function whyNoSwitch({ uid, status, profile, tunError }: HostFacts): string | undefined {
  if (uid !== 0) return 'it does not run as root';
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  const missing = Object.entries(FOR_OVN).filter(([, bit]) => ((held >> BigInt(bit)) & 1n) === 0n);
  if (missing.length > 0)
    return `root lacks ${missing.map(([name]) => name).join(', ')} (--cap-add)`;
  if (tunError === 'ENOENT') return `there is no ${TUN} (--device ${TUN})`;
  if (tunError !== undefined) return `${TUN} cannot be opened, ${tunError} (--device ${TUN})`;
  if (profile.startsWith('docker-default '))
    return 'AppArmor bars mounts (--security-opt apparmor=unconfined)';
  return undefined;
}
