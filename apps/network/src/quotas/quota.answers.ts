import { answerClass, Shown } from '@cumulet/common/http/shown';
import { NETWORK_QUOTAS } from './network-quotas.js';

class QuotaDetailView {
  @Shown('integer', 'Units that the project may have; -1 is without limit.')
  limit: number;

  @Shown('integer', 'Units that it has.')
  used: number;

  @Shown('integer', 'Always 0: units are counted as they are taken.')
  reserved: number;
}

const each = (shown: (about: string) => PropertyDecorator): Record<string, PropertyDecorator> =>
  Object.fromEntries(
    Object.entries(NETWORK_QUOTAS).map(([name, { about }]) => [name, shown(about)]),
  );

const QuotaView = answerClass(
  'QuotaView',
  each((about) => Shown('integer', about)),
);

const ListedQuotaView = answerClass('ListedQuotaView', {
  project_id: Shown(String, 'The project whose they are.'),
  tenant_id: Shown(String, 'The same.'),
  ...each((about) => Shown('integer', about)),
});

const QuotaDetailsView = answerClass(
  'QuotaDetailsView',
  each((about) => Shown(() => QuotaDetailView, about)),
);

export const QuotaBody = answerClass('QuotaBody', {
  quota: Shown(() => QuotaView, 'Units that the project may have; -1 is without limit.'),
});

export const QuotaDetailsBody = answerClass('QuotaDetailsBody', {
  quota: Shown(() => QuotaDetailsView, 'What the project may have, and has.'),
});

export const QuotaList = answerClass('QuotaList', {
  quotas: Shown([() => ListedQuotaView], 'Of each project with limits of its own.'),
});
