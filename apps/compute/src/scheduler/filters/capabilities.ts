/** Filters by what a host is: for the flavor's extra specs, and for the image's properties. */
import type { Candidate } from '../candidate.js';
import type { Filter } from './filter.js';
import { attributeOf } from './host-attributes.js';
import { meetsExtraSpec } from './extra-spec-match.js';

const SCOPE = 'capabilities:';

/** Names without a scope count where hosts have such an attribute. */
function isCapable(host: Candidate, key: string, required: string): boolean {
  const isScoped = key.startsWith(SCOPE);
  if (!isScoped && key.includes(':')) return true;
  const value = attributeOf(host, (isScoped ? key.slice(SCOPE.length) : key).split(':'));
  if (value === undefined) return !isScoped;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return meetsExtraSpec(text, required);
}

const ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: 'x86_64',
  x64: 'x86_64',
  arm64: 'aarch64',
};
/** What QEMU calls itself, under either accelerator. */
const HYPERVISORS = ['qemu', 'kvm'];

type Property = (host: Candidate, wanted: string) => boolean;

const PROPERTIES: Readonly<Record<string, Property>> = {
  hw_architecture: ({ cpu }, wanted) =>
    cpu.arch === undefined || cpu.arch === (ARCHITECTURES[wanted] ?? wanted),
  img_hv_type: (_, wanted) => HYPERVISORS.includes(wanted),
  hw_vm_mode: (_, wanted) => wanted === 'hvm',
};

export const CAPABILITY_FILTERS: readonly Filter[] = [
  {
    name: 'ComputeCapabilitiesFilter',
    passes: (host, { extraSpecs }) =>
      Object.entries(extraSpecs).every(([key, required]) => isCapable(host, key, required)),
    explain: () => "without what the flavor's extra specs require",
  },
  {
    name: 'ImagePropertiesFilter',
    passes: (host, { imageProperties }) =>
      Object.entries(PROPERTIES).every(([name, fits]) => {
        const wanted = imageProperties[name]?.toLowerCase();
        return wanted === undefined || wanted === '' || fits(host, wanted);
      }),
    explain: (_, { imageProperties }) =>
      `no host has ${Object.keys(PROPERTIES)
        .filter((name) => imageProperties[name] !== undefined)
        .map((name) => `${name} ${imageProperties[name]}`)
        .join(', ')}`,
  },
];
