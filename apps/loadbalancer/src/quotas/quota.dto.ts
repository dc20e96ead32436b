import { IntegerField, ObjectField } from '@cumulet/common/http/fields';
import { HTTPBadRequestError } from '@cumulet/common/resources/resource.errors';
import { shownUnder } from '@cumulet/common/http/answers';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { PageLinkView } from '@cumulet/common/resources/resource.view';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import {
  FORMER_NAMES,
  LOAD_BALANCER_QUOTAS,
  QUOTA_NAMES,
  type QuotaName,
} from './load-balancer-quotas.js';

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
  @ObjectField(() => QuotaDto, {
    description: 'The limits to change; limits that are left out are kept.',
  })
  quota: QuotaDto;
}

/**
 * The limits that the body gives, by their names of today.
 * @throws HTTPBadRequestError if a quota is given twice with different values
 */
export function limitsOf({ quota }: UpdateQuotaBody): Partial<Record<QuotaName, number | null>> {
  const limits = new Map<QuotaName, number | null>();
  for (const [name, limit] of Object.entries(quota) as [string, number | null | undefined][]) {
    if (limit === undefined) continue;
    const today =
      (FORMER_NAMES as Readonly<Record<string, QuotaName>>)[name] ?? (name as QuotaName);
    if (limits.has(today) && limits.get(today) !== limit)
      throw new HTTPBadRequestError(`The quota ${today} is given twice, with different values.`);
    limits.set(today, limit);
  }
  return Object.fromEntries(limits);
}

/** Every name by which clients see a quota, with the quota that it stands for. */
const NAMES: readonly (readonly [string, QuotaName])[] = [
  ...QUOTA_NAMES.map((name) => [name, name] as const),
  ...Object.entries(FORMER_NAMES),
];

const limitFields = (options: { readonly nullable: boolean }): Record<string, PropertyDecorator> =>
  Object.fromEntries(
    NAMES.map(([shown, name]) => [
      shown,
      Shown('integer', LOAD_BALANCER_QUOTAS[name].about, options),
    ]),
  );

const Quota = answerClass('Quota', {
  project_id: Shown(String, 'The ID of the project; missing from the default quotas.', {
    optional: true,
  }),
  ...limitFields({ nullable: false }),
});

const OwnQuota = answerClass('OwnQuota', {
  project_id: Shown(String, 'The ID of the project.'),
  ...limitFields({ nullable: true }),
});

export const QuotaBody = shownUnder(
  'quota',
  Quota,
  'The limits of the project; -1 means unlimited.',
);

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown(
    [() => OwnQuota],
    'The projects that have limits of their own; null means the default.',
  ),
  quotas_links: Shown([() => PageLinkView], 'Links to the next and previous pages.'),
});

/** The limits by every name; null where there is none. */
export function quotaView(limits: Partial<Units<QuotaName>>, projectId?: string): object {
  return {
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...Object.fromEntries(NAMES.map(([shown, name]) => [shown, limits[name] ?? null])),
  };
}
