import type { SchemaObject } from '@cumulet/common/http/openapi-schema';
import { namesOf, type Units } from '@cumulet/common/quotas/define-quotas';
import { HTTPBadRequestError, InvalidValueError } from '@cumulet/common/resources/resource.errors';
import { flag, integer, Refusal, shortened } from '@cumulet/common/resources/value-type';
import { NETWORK_QUOTAS } from './network-quotas.js';

type QuotaName = keyof typeof NETWORK_QUOTAS;

const NAMES = namesOf(NETWORK_QUOTAS);
const limit = integer(-1, 2_147_483_647);

const LIMIT: SchemaObject = { type: 'integer', minimum: -1 };

export const QUOTA_SCHEMA: SchemaObject = {
  type: 'object',
  required: ['quota'],
  properties: {
    quota: {
      type: 'object',
      properties: {
        ...Object.fromEntries(NAMES.map((name) => [name, LIMIT])),
        force: { type: 'boolean', description: 'Accept limits below the current usage.' },
        check_limit: { type: 'boolean', description: 'Refuse limits below the current usage.' },
      },
    },
  },
};

export interface AskedLimits {
  readonly limits: Partial<Units<QuotaName>>;
  readonly force: boolean;
}

/**
 * Accepts any limit unless `check_limit` is set, as Neutron does.
 * @param body `{"quota": {"network": 10}}`
 * @throws HTTPBadRequestError for an unknown quota
 */
export function limitsOf(body: unknown): AskedLimits {
  const { quota } = body as { readonly quota?: unknown };
  if (typeof quota !== 'object' || quota === null || Array.isArray(quota))
    throw new HTTPBadRequestError("Unable to find 'quota' in request body");
  const {
    force,
    check_limit: check,
    tenant_id: _,
    project_id: __,
    ...asked
  } = quota as Record<string, unknown>;
  const unknown = Object.keys(asked).filter((name) => !Object.hasOwn(NETWORK_QUOTAS, name));
  if (unknown.length > 0)
    throw new HTTPBadRequestError(`Unrecognized attribute(s) '${shortened(unknown.join(', '))}'`);
  const limits = Object.entries(asked).map(([name, value]) => [
    name,
    read(name, () => limit.read(value)),
  ]);
  const isChecked = check !== undefined && read('check_limit', () => flag.read(check));
  const isForced = force === undefined || read('force', () => flag.read(force));
  return {
    limits: Object.fromEntries(limits) as Partial<Units<QuotaName>>,
    force: isForced && !isChecked,
  };
}

function read<T>(name: string, value: () => T): T {
  try {
    return value();
  } catch (error) {
    throw error instanceof Refusal ? new InvalidValueError(name, error.message) : error;
  }
}
