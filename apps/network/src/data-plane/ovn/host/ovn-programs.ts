/** Finds the programs of OVN and Open vSwitch, and their versions. */
import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@cumulet/common/programs/find-program';
import { runProgram } from '@cumulet/common/programs/run-program';

const CENTRAL = ['ovsdb-tool', 'ovsdb-server', 'ovn-northd'] as const;
const NAMES = [
  ...CENTRAL,
  'ovs-vswitchd',
  'ovn-controller',
  // Switches off checksum offloading: copied packets would have no checksums.
  'ethtool',
] as const;
export type ProgramName = (typeof NAMES)[number];

const SCHEMAS = {
  northbound: 'ovn/ovn-nb.ovsschema',
  southbound: 'ovn/ovn-sb.ovsschema',
  switch: 'openvswitch/vswitch.ovsschema',
} as const;
export type DatabaseName = keyof typeof SCHEMAS;

interface Programs<Name extends ProgramName> {
  /** Such as `3.5.0`. */
  readonly versions: { readonly ovs: string; readonly ovn: string };
  /** The file to run for each program, with leading arguments. */
  readonly commands: Readonly<Record<Name, readonly [string, ...string[]]>>;
  readonly schemas: Readonly<Record<DatabaseName, string>>;
}

/** What the central part of OVN runs. */
export type CentralPrograms = Programs<(typeof CENTRAL)[number]>;
/** What a host runs, which may have the central part too. */
export type OvnPrograms = Programs<ProgramName>;

/** Folders in which packages install programs; Debian has ovs-vswitchd in the last. */
const BIN = ['usr/sbin', 'usr/bin', 'sbin', 'bin', 'usr/lib/openvswitch-switch'];
const VERSION_MS = 10_000;

/** Where scripts/system-programs.mjs unpacks them, then where packages install them. */
export const PROGRAM_ROOTS = ['/var/lib/cumulet/ovn', '/'];

/**
 * @param roots folders into which packages were unpacked, `/` for the system's own; the first with
 * all programs is used
 * @returns the reason if none has all programs
 */
export function findOvnPrograms(roots: readonly string[]): Promise<OvnPrograms | string> {
  return find(roots, NAMES);
}

/** As `findOvnPrograms`, for the central part alone. */
export function findCentralPrograms(roots: readonly string[]): Promise<CentralPrograms | string> {
  return find(roots, CENTRAL);
}

async function find<Name extends ProgramName>(
  roots: readonly string[],
  names: readonly Name[],
): Promise<Programs<Name> | string> {
  let missing = 'no folder to look in';
  for (const root of roots) {
    const found = await programsIn(root, names);
    if (typeof found !== 'string') return found;
    missing = found;
  }
  return missing;
}

async function programsIn<Name extends ProgramName>(
  root: string,
  names: readonly Name[],
): Promise<Programs<Name> | string> {
  const folders = BIN.map((folder) => join(root, folder)).join(':');
  const loader = root === '/' ? [] : await loaderIn(root);
  const paths = await Promise.all(names.map((name) => findProgram(name, folders)));
  const missing = names.filter((_, index) => paths[index] === undefined);
  if (missing.length > 0) return `${missing.join(', ')} not found`;
  const commands = Object.fromEntries(
    names.map((name, index) => [name, [...loader, paths[index]]]),
  ) as unknown as OvnPrograms['commands'];
  const schemas = Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, path]) => [name, join(root, 'usr/share', path)]),
  ) as OvnPrograms['schemas'];
  for (const path of Object.values(schemas)) if (!(await isThere(path))) return `${path} not found`;
  const [ovs, ovn] = await Promise.all([
    versionOf(commands['ovsdb-server']),
    versionOf(commands['ovn-northd']),
  ]);
  if (ovs === undefined || ovn === undefined)
    return `the programs below ${root} do not run on this machine`;
  return { versions: { ovs, ovn }, commands, schemas };
}

/** Programs of another distribution run with the dynamic loader and libraries beside them. */
async function loaderIn(root: string): Promise<string[]> {
  for (const lib of ['usr/lib', 'lib'])
    for (const triplet of await namesIn(join(root, lib))) {
      const folder = join(root, lib, triplet);
      const loader = (await namesIn(folder)).find((name) => /^ld-linux-.*\.so\.\d+$/.test(name));
      if (loader === undefined) continue;
      const libraries = [join(root, 'usr/lib', triplet), join(root, 'lib', triplet)].join(':');
      return [join(folder, loader), '--library-path', libraries];
    }
  return [];
}

async function versionOf([file, ...args]: readonly [string, ...string[]]): Promise<
  string | undefined
> {
  const options = { timeoutMs: VERSION_MS };
  const { stdout } = await runProgram(file, [...args, '--version'], options);
  return /\b\d+\.\d+\.\d+\b/.exec(stdout.toString())?.[0];
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Whether this version's userspace connection tracking sometimes aborts the switch, by an assertion
 * in `conn_update_state`. Fixed by Open vSwitch's commit 6753b1086.
 */
export function abortsUnderNat(ovs: string): boolean {
  const [major = 0, minor = 0, patch = 0] = ovs.split('.').map(Number);
  return major < 3 || (major === 3 && (minor < 1 || (minor === 1 && patch < 3)));
}

/** The system's own programs that start OVN's. */
const TOOLS = ['ip', 'mknod', 'mount', 'nsenter', 'setpriv', 'sh', 'unshare'];
const FOLDERS = '/usr/sbin:/usr/bin:/sbin:/bin';

/** Numbers of capabilities. Public source: linux/capability.h. */
const NEEDED = {
  CHOWN: 0,
  DAC_OVERRIDE: 1,
  KILL: 5,
  SETGID: 6,
  SETUID: 7,
  SETPCAP: 8,
  NET_ADMIN: 12,
  NET_RAW: 13,
  // Finds the daemons of an earlier process by their working directory.
  SYS_PTRACE: 19,
  SYS_ADMIN: 21,
  MKNOD: 27,
};

/** @returns the reason if this process may not create network namespaces and devices in them */
export async function whyNoOvn(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  if (process.getuid?.() !== 0) return "only root may plug in guests' devices";
  const status = await readFile('/proc/self/status', 'utf8');
  const held = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1] ?? '0'}`);
  const lacking = Object.entries(NEEDED).filter(([, bit]) => ((held >> BigInt(bit)) & 1n) === 0n);
  if (lacking.length > 0)
    return `root lacks capabilities here: ${lacking.map(([name]) => name).join(', ')}`;
  for (const tool of TOOLS)
    if ((await findProgram(tool, FOLDERS)) === undefined) return `${tool} is not installed`;
  const hasTun = await access('/dev/net/tun').then(
    () => true,
    () => false,
  );
  return hasTun ? undefined : 'there is no /dev/net/tun';
}
