/** Requests about quotas. Public source: Nova API reference, "Quota sets" and "Quota class sets". */
import {
  BooleanField,
  IntegerField,
  ObjectField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { COMPUTE_QUOTA_NAMES, COMPUTE_QUOTAS, type ComputeQuota } from './compute-quotas.js';
import { LAST_IN_CLASSES, LAST_IN_SETS, type LastVersions } from './quota-versions.js';

/** A field for each quota. */
function QuotaFields(last: LastVersions): ClassDecorator {
  return ({ prototype }) => {
    for (const name of COMPUTE_QUOTA_NAMES) {
      const end = last[name];
      const until = end === undefined ? '' : ` Until 2.${end}.`;
      const description = `${COMPUTE_QUOTAS[name].about} -1 is unlimited.${until}`;
      const field = IntegerField({ min: -1, fromText: true, optional: true, description });
      field(prototype as object, name);
    }
  };
}

type QuotaValues = Readonly<Partial<Record<ComputeQuota, number>>>;

@QuotaFields(LAST_IN_SETS)
class QuotaSetDto {
  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Whether a limit may be less than what is in use.',
  })
  force?: boolean;
}

@QuotaFields(LAST_IN_CLASSES)
class QuotaClassSetDto {}

export class UpdateQuotaSetBody {
  @ObjectField(() => QuotaSetDto)
  quota_set: QuotaSetDto & QuotaValues;
}

export class UpdateQuotaClassSetBody {
  @ObjectField(() => QuotaClassSetDto)
  quota_class_set: QuotaClassSetDto & QuotaValues;
}

export class ShowQuotaSetQuery {
  @StringField({
    optional: true,
    description:
      "A user of the project, whose quotas are the project's: users have none of their own.",
  })
  user_id?: string;
}

export class QuotaSetQuery {
  @UnsupportedField('quotas are of projects, not of their users')
  user_id?: unknown;
}
