/** Why QEMU did not start, from the last line that it wrote. Pure. */
import { HypervisorError, type HypervisorErrorKind } from '../../hypervisor-error.js';

/** Another process of ours started the same guest, and won. */
export class GuestAlreadyStartedError extends Error {}

interface Reason {
  readonly pattern: RegExp;
  readonly kind: HypervisorErrorKind;
  readonly message: string;
}

/** The first match counts. */
const REASONS: readonly Reason[] = [
  {
    pattern: /could not load kernel|linux kernel too old|invalid kernel|error reading.*initrd/i,
    kind: 'bad-image',
    message: "The server's kernel or ramdisk image cannot be loaded.",
  },
  {
    pattern: /unsupported machine type/i,
    kind: 'bad-image',
    message: "The host's QEMU has no such machine as the image asks for.",
  },
  {
    pattern: /No such file or directory/,
    kind: 'not-ready',
    message: 'A file of the server is missing on the host.',
  },
  {
    pattern: /Cannot allocate memory|cannot set up guest memory|out of memory/i,
    kind: 'capacity',
    message: 'The host has not enough memory for the server.',
  },
  {
    pattern: /No space left on device|Disk quota exceeded/i,
    kind: 'capacity',
    message: 'The host has no room left for the server.',
  },
  {
    pattern: /Image is corrupt|not in qcow2 format/i,
    kind: 'bad-image',
    message: "The server's disk is damaged.",
  },
  {
    pattern: /Failed to get .* lock|Resource temporarily unavailable|Too many open files/i,
    kind: 'transient',
    message: "The server's disk is in use by another process.",
  },
];

/** @returns GuestAlreadyStartedError, or a HypervisorError whose cause is `stderr` */
export function qemuStartFailure(stderr: string): Error {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  if (/cannot lock pid ?file/i.test(line)) return new GuestAlreadyStartedError(line);
  const known = REASONS.find(({ pattern }) => pattern.test(line));
  if (known !== undefined) return new HypervisorError(known.kind, known.message, stderr);
  // A process that ends without output was ended by another.
  if (line === '') return new HypervisorError('transient', 'QEMU was ended while it started.');
  return new HypervisorError('bug', `QEMU did not start: ${withoutPaths(line)}.`, stderr);
}

/** `qemu-system-x86_64: -m: bad size` → `-m: bad size`; paths become base names. */
function withoutPaths(line: string): string {
  return line
    .replace(/^\S*qemu-system-\S+:\s*/, '')
    .replace(/\/(?:[^\s'"/]+\/)+/g, '')
    .replace(/\.$/, '')
    .slice(0, 200);
}
