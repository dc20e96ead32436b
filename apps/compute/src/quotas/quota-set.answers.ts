/** Quotas as Nova shows them. Public source: Nova API reference, "Quota sets", "Quota class sets". */
import { answerClass, Shown, viewOf, type Shape } from '@cumulet/common/http/shown';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { COMPUTE_QUOTA_NAMES, COMPUTE_QUOTAS, type ComputeQuota } from './compute-quotas.js';
import { FIRST_SHOWN_IN_CLASSES, LAST_IN_CLASSES, LAST_IN_SETS } from './quota-versions.js';

class QuotaDetailView {
  @Shown('integer', 'Units that the project may have; -1 is unlimited.')
  limit: number;

  @Shown<QuotaUsage>('integer', 'Units that it has; 0 for limits of a single request.', {
    from: ({ used }) => used,
  })
  in_use: number;

  @Shown('integer', 'Always 0: what is being made is in use already.', { from: () => 0 })
  reserved: number;
}

const detailOf = viewOf<QuotaUsage, QuotaDetailView>(QuotaDetailView);

type Row = Readonly<Record<ComputeQuota, unknown>>;

/** What is shown of a quota: by default the limit by itself. */
interface Value {
  readonly shape: Shape;
  readonly of: (value: never) => unknown;
}

const LIMIT: Value = { shape: 'integer', of: (limit: number) => limit };
const DETAIL: Value = { shape: () => QuotaDetailView, of: detailOf };

function inSets({ shape, of }: Value): Readonly<Record<string, PropertyDecorator>> {
  return eachQuota((name) =>
    Shown<Row>(shape, COMPUTE_QUOTAS[name].about, {
      from: (row) => of(row[name] as never),
      ...defined({ until: LAST_IN_SETS[name] }),
    }),
  );
}

const IN_CLASSES = eachQuota((name) =>
  Shown<Row>('integer', COMPUTE_QUOTAS[name].about, {
    from: (row) => row[name],
    ...defined({ since: FIRST_SHOWN_IN_CLASSES[name], until: LAST_IN_CLASSES[name] }),
  }),
);

const ID = { id: Shown(String, 'Of the project, or of the class.') };

export const QuotaSetView = answerClass('QuotaSet', { ...ID, ...inSets(LIMIT) });
export const QuotaSetDetailView = answerClass('QuotaSetDetail', { ...ID, ...inSets(DETAIL) });
export const ChangedQuotaSetView = answerClass('ChangedQuotaSet', inSets(LIMIT));
export const QuotaClassSetView = answerClass('QuotaClassSet', { ...ID, ...IN_CLASSES });
export const ChangedQuotaClassSetView = answerClass('ChangedQuotaClassSet', IN_CLASSES);

function eachQuota(
  shown: (name: ComputeQuota) => PropertyDecorator,
): Readonly<Record<string, PropertyDecorator>> {
  return Object.fromEntries(COMPUTE_QUOTA_NAMES.map((name) => [name, shown(name)]));
}

function defined(versions: {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}): {
  since?: number;
  until?: number;
} {
  return Object.fromEntries(Object.entries(versions).filter(([, value]) => value !== undefined));
}
