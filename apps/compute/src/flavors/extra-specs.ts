/** Extra specs of flavors (nova, `api/validation/extra_specs`; Nova admin guide, "Extra Specs"). */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { isStorable } from '@cumulet/common/database/storable';

const KEY = /^[a-zA-Z0-9-_:. ]{1,255}$/;
const MAX_LENGTH = 255;
const MAX_KEYS = 128;

/** @returns the error in a value, or undefined */
type Check = (value: string) => string | undefined;

const boolean: Check = (value) =>
  /^(true|false|1|0|t|f|on|off|y|n|yes|no)$/i.test(value)
    ? undefined
    : `'${value}' is not a valid boolean-like value`;
const text: Check = () => undefined;

function integer(min = -Infinity, max = Infinity): Check {
  return (value) => {
    if (!/^[+-]?\d{1,15}$/.test(value.trim())) return `'${value}' is not a valid integer value`;
    if (Number(value) > max) return `'${value}' is greater than the max value of '${max}'`;
    if (Number(value) < min) return `'${value}' is less than the min value of '${min}'`;
    return undefined;
  };
}

function oneOf(...values: readonly string[]): Check {
  return (value) =>
    values.includes(value) ? undefined : `'${value}' is not one of: ${values.join(', ')}`;
}

function like(format: RegExp): Check {
  return (value) =>
    new RegExp(`^(?:${format.source})$`).test(value)
      ? undefined
      : `'${value}' is not of the format '${format.source}'`;
}

/** `0-3,^2` */
const CPUS = like(/\^?\d+(-\d+)?(,\^?\d+(-\d+)?)*/);
const COUNT = integer(1);
const SOME = integer(0);
const NEED = oneOf('required', 'forbidden');

/** `#` in a name is a number. */
const KNOWN: Readonly<Record<string, Check>> = {
  'accel:device_profile': text,
  group_policy: oneOf('isolate', 'none'),
  hide_hypervisor_id: boolean,
  'hw:boot_menu': boolean,
  'hw:cpu_cores': COUNT,
  'hw:cpu_dedicated_mask': CPUS,
  'hw:cpu_max_cores': COUNT,
  'hw:cpu_max_sockets': COUNT,
  'hw:cpu_max_threads': COUNT,
  'hw:cpu_policy': oneOf('dedicated', 'shared', 'mixed'),
  'hw:cpu_realtime': boolean,
  'hw:cpu_realtime_mask': CPUS,
  'hw:cpu_sockets': COUNT,
  'hw:cpu_thread_policy': oneOf('prefer', 'isolate', 'require'),
  'hw:cpu_threads': COUNT,
  'hw:emulator_threads_policy': oneOf('isolate', 'share'),
  'hw:ephemeral_encryption': boolean,
  'hw:ephemeral_encryption_format': oneOf('plain', 'luks', 'luksv2'),
  'hw:hide_hypervisor_id': boolean,
  'hw:locked_memory': boolean,
  'hw:maxphysaddr_bits': SOME,
  'hw:maxphysaddr_mode': oneOf('passthrough', 'emulate'),
  'hw:mem_encryption': boolean,
  'hw:mem_encryption_model': oneOf('amd-sev', 'amd-sev-es', 'amd-sev-snp'),
  'hw:mem_page_size': like(/large|small|any|\d+([kKMGT]i?)?(b|bit|B)?/),
  'hw:numa_cpus.#': CPUS,
  'hw:numa_mem.#': COUNT,
  'hw:numa_nodes': COUNT,
  'hw:pci_numa_affinity_policy': oneOf('required', 'preferred', 'legacy', 'socket'),
  'hw:pmem': like(/([a-zA-Z0-9_]+,?)+/),
  'hw:pmu': boolean,
  'hw:redirected_usb_ports': integer(0, 15),
  'hw:serial_port_count': SOME,
  'hw:sound_model': oneOf('sb16', 'es1370', 'pcspk', 'ac97', 'ich6', 'ich9', 'usb', 'virtio'),
  'hw:tpm_model': oneOf('tpm-tis', 'tpm-crb'),
  'hw:tpm_secret_security': oneOf('user', 'host', 'deployment'),
  'hw:tpm_version': oneOf('1.2', '2.0'),
  'hw:usb_model': oneOf('nec-xhci', 'qemu-xhci'),
  'hw:vif_multiqueue_enabled': boolean,
  'hw:viommu_model': oneOf('intel', 'smmuv3', 'virtio', 'auto'),
  'hw:virtio_packed_ring': boolean,
  'hw:watchdog_action': oneOf('none', 'pause', 'poweroff', 'reset', 'disabled'),
  'hw_rng:allowed': boolean,
  'hw_rng:rate_bytes': SOME,
  'hw_rng:rate_period': SOME,
  'hw_video:ram_max_mb': SOME,
  'os:secure_boot': oneOf('disabled', 'required'),
  'pci_passthrough:alias': like(/[^:]+:\d+(\s*,\s*[^:]+:\d+)*/),
  'vmware:hw_version': text,
  'vmware:storage_policy': text,
};

/** Namespaces that take further names by pattern. */
const PATTERNS: readonly { readonly name: RegExp; readonly check: Check }[] = [
  { name: /^aggregate_instance_extra_specs:.+$/, check: text },
  { name: /^capabilities:.+$/, check: text },
  { name: /^resources[a-zA-Z0-9_-]{0,64}:[A-Z0-9_]+$/, check: integer() },
  { name: /^trait[a-zA-Z0-9_-]{0,64}:[A-Z0-9_]+$/, check: NEED },
  { name: /^quota:cpu_(shares|period|shares_level|reservation|limit)$/, check: SOME },
  { name: /^quota:(cpu_quota|memory_\w+|disk_io_\w+|vif_\w+)$/, check: integer() },
  { name: /^quota:(cpu|memory|disk_io|vif)_shares_level$/, check: text },
  { name: /^quota:disk_(read|write|total)_(bytes|iops)_sec(_max(_length)?)?$/, check: SOME },
];

const NAMESPACES = new Set([
  ...Object.keys(KNOWN).flatMap((name) => (name.includes(':') ? [name.split(':', 1)[0]] : [])),
  'aggregate_instance_extra_specs',
  'capabilities',
  'quota',
  'resources',
  'trait',
]);

/**
 * Numbers become their digits, as in Nova.
 * @param isStrict since 2.86: known namespaces take known names only
 * @throws InvalidInputError
 */
export function extraSpecsOf(body: unknown, isStrict: boolean): Record<string, string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidInputError('Invalid input: extra_specs must be an object.');
  const entries = Object.entries(body);
  if (entries.length > MAX_KEYS)
    throw new InvalidInputError(`Invalid input: extra_specs has more than ${MAX_KEYS} keys.`);
  return Object.fromEntries(
    entries.map(([key, given]) => {
      const value = valueOf(key, given);
      if (isStrict) checkSpec(key, value);
      return [key, value];
    }),
  );
}

function valueOf(key: string, given: unknown): string {
  const shown = key.slice(0, MAX_LENGTH);
  if (!KEY.test(key))
    throw new InvalidInputError(
      `Invalid input: '${shown}' is not a valid name of an extra spec: it must be 1 to 255 letters, digits, spaces and - _ : . characters.`,
    );
  const value = typeof given === 'number' ? String(given) : given;
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !isStorable(value))
    throw new InvalidInputError(
      `Invalid input: extra_specs.${shown} must be a string of at most ${MAX_LENGTH} characters, or a number.`,
    );
  return value;
}

/** @throws InvalidInputError */
function checkSpec(name: string, value: string): void {
  const pattern = PATTERNS.find((one) => one.name.test(name));
  const plain = name.replace(/\.\d+$/, '.#');
  const check = Object.hasOwn(KNOWN, plain) ? KNOWN[plain] : pattern?.check;
  if (check) {
    const wrong = check(value);
    if (wrong !== undefined) throw new InvalidInputError(`Validation failed; ${wrong}.`);
    return;
  }
  // An unknown namespace is the operator's own.
  if (name.includes(':') && NAMESPACES.has(name.split(':', 1)[0]))
    throw new InvalidInputError(
      `Validation failed; extra spec '${name}' does not appear to be a valid extra spec.`,
    );
}
