import { IntegerField, ObjectField } from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { pageClass } from '../http/pages.js';
import { QUOTA_NAMES, SECRET_QUOTAS, type SecretQuota } from './secret-quotas.js';

/** -1 is without limit, as every negative number is to Barbican. */
class ProjectQuotasDto implements Partial<Record<SecretQuota, number>> {
  @Limit()
  secrets?: number;

  @Limit()
  orders?: number;

  @Limit()
  containers?: number;

  @Limit()
  consumers?: number;

  @Limit()
  cas?: number;
}

function Limit(): PropertyDecorator {
  return IntegerField({ optional: true, min: -1, max: 1_000_000_000 });
}

export class ProjectQuotasBody {
  @ObjectField(() => ProjectQuotasDto, {
    description: 'Those that are left out are the default.',
  })
  project_quotas: ProjectQuotasDto;
}

const limits = (options: { readonly nullable: boolean }) =>
  Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, Shown('integer', SECRET_QUOTAS[name].about, options)]),
  );

const EffectiveQuotas = answerClass('EffectiveQuotas', limits({ nullable: false }));
/** Null where the default holds. */
const ProjectQuotas = answerClass('ProjectQuotas', limits({ nullable: true }));

export const QuotasView = answerClass('QuotasView', {
  quotas: Shown(() => EffectiveQuotas, 'What the project may have; -1 is without limit.'),
});

export const ProjectQuotasView = answerClass('ProjectQuotasView', {
  project_quotas: Shown(() => ProjectQuotas, 'The limits of its own; null is the default.'),
});

export const ProjectQuotasPage = pageClass(
  'project_quotas',
  answerClass('QuotasOfProject', {
    project_id: Shown(String, 'The project.'),
    project_quotas: Shown(() => ProjectQuotas, 'The limits of its own; null is the default.'),
  }),
);
