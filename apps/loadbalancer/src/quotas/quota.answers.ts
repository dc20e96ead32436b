/** Quotas as clients see them, by both names where there are two. */
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { PageLinkView } from '@cumulet/common/resources/resource.view';
import type { Units } from '@cumulet/common/quotas/define-quotas';
import {
  FORMER_NAMES,
  LOAD_BALANCER_QUOTAS,
  QUOTA_NAMES,
  type QuotaName,
} from './load-balancer-quotas.js';

/** Every name, with the quota that it stands for. */
const NAMES: readonly (readonly [string, QuotaName])[] = [
  ...QUOTA_NAMES.map((name) => [name, name] as const),
  ...Object.entries(FORMER_NAMES),
];

const limits = (options: { readonly nullable: boolean }): Record<string, PropertyDecorator> =>
  Object.fromEntries(
    NAMES.map(([shown, name]) => [
      shown,
      Shown('integer', LOAD_BALANCER_QUOTAS[name].about, options),
    ]),
  );

const Quota = answerClass('Quota', {
  project_id: Shown(String, 'Whose they are; not of the defaults.', { optional: true }),
  ...limits({ nullable: false }),
});

const OwnQuota = answerClass('OwnQuota', {
  project_id: Shown(String, 'Whose they are.'),
  ...limits({ nullable: true }),
});

export const QuotaBody = answerClass('QuotaBody', {
  quota: Shown(() => Quota, 'What the project may have; -1 is without limit.'),
});

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown([() => OwnQuota], 'Of each project with limits of its own; null is the default.'),
  quotas_links: Shown([() => PageLinkView], 'Where the list goes on.'),
});

/** The limits by every name; null where there is none. */
export function quotaView(limits: Partial<Units<QuotaName>>, projectId?: string): object {
  return {
    ...(projectId === undefined ? {} : { project_id: projectId }),
    ...Object.fromEntries(NAMES.map(([shown, name]) => [shown, limits[name] ?? null])),
  };
}
