/** Requests of nodes. This API is the platform's own: Magnum's nodes use Heat and Keystone. */
import { isIPv4 } from 'node:net';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
  StringListField,
} from '@cumulet/common/http/fields';

export const PHASES = [
  'boot',
  'certificates',
  'images',
  'etcd',
  'api',
  'addons',
  'kubelet',
  'ready',
] as const;

export class BootstrapDto {
  @StringField({
    min: 32,
    max: 64,
    pattern: /^[0-9a-f]+$/,
    patternText: 'must be hexadecimal digits',
    description: 'Drawn by the node before it first asks, and kept on its disk.',
  })
  nonce: string;

  @CheckedField(
    isListOfAddresses,
    'must be 1 to 16 IPv4 addresses',
    { type: 'array', items: { type: 'string' } },
    { description: "The node's own on the tenant network first; a master adds the API's." },
  )
  addresses: string[];
}

export class ReportDto {
  @EnumField(PHASES, { description: 'The phase that the node has reached.' })
  phase: string;

  @EnumField(['IN_PROGRESS', 'READY', 'FAILED'], { description: 'The status of the phase.' })
  status: 'IN_PROGRESS' | 'READY' | 'FAILED';

  @StringField({ min: 0, max: 1_000, description: 'A message.' })
  message: string;

  @StringField({ optional: true, nullable: true, max: 64, description: "The kubelet's version." })
  version?: string | null;

  @IntegerField({
    optional: true,
    nullable: true,
    description: 'The generation of the certificates in use.',
  })
  generation?: number | null;

  @BooleanField({
    optional: true,
    nullable: true,
    description: 'Whether a master is a healthy voting member of etcd.',
  })
  etcd?: boolean | null;

  @StringListField({
    optional: true,
    nullable: true,
    maxItems: 16,
    description: 'The members that a master has removed from etcd.',
  })
  etcd_removed?: string[] | null;

  @BooleanField({
    optional: true,
    nullable: true,
    description: 'Whether a draining worker has no pods left.',
  })
  drained?: boolean | null;

  @CheckedField(
    isMapOfAddons,
    'must be an object of at most 32 add-ons, each with ready and message',
    {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { ready: { type: 'boolean' }, message: { type: 'string' } },
      },
    },
    { optional: true, nullable: true, description: 'The state of add-ons, as a master sees it.' },
  )
  addons?: Record<string, { ready: boolean; message: string }> | null;
}

function isListOfAddresses(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= 16 &&
    value.every((one) => typeof one === 'string' && isIPv4(one))
  );
}

function isMapOfAddons(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value) as [string, unknown][];
  return (
    entries.length <= 32 && entries.every(([name, addon]) => name.length <= 64 && isAddon(addon))
  );
}

function isAddon(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { ready, message = '' } = value as Record<string, unknown>;
  return typeof ready === 'boolean' && typeof message === 'string' && message.length <= 1_000;
}
