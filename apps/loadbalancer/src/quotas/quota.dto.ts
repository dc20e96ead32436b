import { IntegerField, ObjectField } from '@cumulet/common/http/fields';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { FORMER_NAMES, type QuotaName } from './load-balancer-quotas.js';

/** -1 is without limit; null, the default again. */
function Limit(description?: string): PropertyDecorator {
  const about = description === undefined ? {} : { description };
  return IntegerField({
    optional: true,
    nullable: true,
    fromText: true,
    min: -1,
    max: 2_000_000_000,
    ...about,
  });
}

type Limits = Partial<Record<QuotaName | keyof typeof FORMER_NAMES, number | null>>;

class QuotaDto implements Limits {
  @Limit()
  loadbalancer?: number | null;

  @Limit('The former name of `loadbalancer`.')
  load_balancer?: number | null;

  @Limit()
  listener?: number | null;

  @Limit()
  pool?: number | null;

  @Limit()
  member?: number | null;

  @Limit()
  healthmonitor?: number | null;

  @Limit('The former name of `healthmonitor`.')
  health_monitor?: number | null;

  @Limit()
  l7policy?: number | null;

  @Limit()
  l7rule?: number | null;
}

export class UpdateQuotaBody {
  @ObjectField(() => QuotaDto, { description: 'Those that are left out stay as they are.' })
  quota: QuotaDto;
}

/**
 * The limits that the body gives, by their names of today.
 * @throws HTTPBadRequestError where one quota is given twice, and differs
 */
export function limitsOf({ quota }: UpdateQuotaBody): Partial<Record<QuotaName, number | null>> {
  const limits = new Map<QuotaName, number | null>();
  for (const [name, limit] of Object.entries(quota) as [string, number | null | undefined][]) {
    if (limit === undefined) continue;
    const today =
      (FORMER_NAMES as Readonly<Record<string, QuotaName>>)[name] ?? (name as QuotaName);
    if (limits.has(today) && limits.get(today) !== limit)
      throw new HTTPBadRequestError(`The quota ${today} is given twice, and differs.`);
    limits.set(today, limit);
  }
  return Object.fromEntries(limits);
}
