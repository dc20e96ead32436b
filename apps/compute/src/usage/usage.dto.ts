import { CheckedField, IntegerField } from '@cumulet/common/http/fields';

const TEXT = { type: 'string' } as const;

export class ShowUsageQuery {
  /** Nova's times: UTC, without a zone. The first counts. */
  @CheckedField(isTimes, 'must be a time such as 2026-01-31T12:00:00', TEXT, { optional: true })
  start?: string | string[];

  @CheckedField(isTimes, 'must be a time such as 2026-01-31T12:00:00', TEXT, { optional: true })
  end?: string | string[];

  @IntegerField({ optional: true, fromText: true, min: 0, description: 'Since 2.40.' })
  limit?: number;

  @CheckedField((value) => typeof value === 'string', 'must be a single ID', TEXT, {
    optional: true,
    description: 'The last server of the previous page. Since 2.40.',
  })
  marker?: string;
}

export class ListUsageQuery extends ShowUsageQuery {
  @CheckedField(isTexts, 'must be 0 or 1', TEXT, {
    optional: true,
    description: '1 lists the servers of each project.',
  })
  detailed?: string | string[];
}

function isTexts(value: unknown): boolean {
  return [value].flat().every((one) => typeof one === 'string');
}

/** Nova's three forms; an empty text means none. */
function isTimes(value: unknown): boolean {
  const [time] = [value].flat();
  if (!isTexts(value) || typeof time !== 'string') return false;
  if (time === '') return true;
  const isOfForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,6})?| \d\d:\d\d:\d\d\.\d{1,6})$/.test(
    time,
  );
  return isOfForm && !Number.isNaN(Date.parse(`${time.replace(' ', 'T')}Z`));
}
