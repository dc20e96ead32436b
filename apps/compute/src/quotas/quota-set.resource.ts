/**
 * Quotas on the wire, by microversion. Public source: Nova API reference, "Quota sets" and "Quota
 * class sets"; Nova, "REST API Version History".
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  BooleanField,
  IntegerField,
  ObjectField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { answerClass, Shown, viewOf, type Shape } from '@cumulet/common/http/shown';
import type { QuotaUsage } from '@cumulet/common/quotas/check-quota';
import { versionOf } from '../versions/microversions.js';
import {
  COMPUTE_QUOTA_NAMES,
  COMPUTE_QUOTAS,
  type ComputeLimits,
  type ComputeQuota,
} from './compute-quotas.js';

/** The last minor microversion of each quota: 35 for 2.35. */
export type LastVersions = Readonly<Partial<Record<ComputeQuota, number>>>;

const FILES: LastVersions = {
  injected_files: 56,
  injected_file_content_bytes: 56,
  injected_file_path_bytes: 56,
};

export const LAST_IN_SETS: LastVersions = {
  ...FILES,
  fixed_ips: 35,
  floating_ips: 35,
  security_groups: 35,
  security_group_rules: 35,
};

export const LAST_IN_CLASSES: LastVersions = {
  ...FILES,
  fixed_ips: 49,
  floating_ips: 49,
  security_groups: 49,
  security_group_rules: 49,
};

/** Classes show these only since a microversion, but took them before. */
export const FIRST_SHOWN_IN_CLASSES: LastVersions = { server_groups: 50, server_group_members: 50 };

/**
 * The limits in a body.
 * @param under the body's outer key, for the message
 * @throws InvalidInputError naming the first that the request's microversion no longer has
 */
export function limitsOf(
  ctx: RequestContext,
  under: string,
  body: Readonly<Partial<Record<ComputeQuota, unknown>>>,
  last: LastVersions,
): Partial<ComputeLimits> {
  const version = versionOf(ctx);
  const given = COMPUTE_QUOTA_NAMES.filter((name) => body[name] !== undefined);
  for (const name of given) {
    const end = last[name];
    if (end === undefined || !version.atLeast(end + 1)) continue;
    throw new InvalidInputError(
      `Invalid input: ${under}.${name} ended with microversion 2.${end}; the request is for ${version.toString()}.`,
    );
  }
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

const QuotaDetailView = answerClass('QuotaDetailView', {
  limit: Shown('integer', 'The limit; -1 for unlimited.'),
  in_use: Shown<QuotaUsage>('integer', 'The usage; 0 for limits of a single request.', {
    from: ({ used }) => used,
  }),
  reserved: Shown('integer', 'Always 0: what is being created counts as in use.', {
    from: () => 0,
  }),
});

const detailOf = viewOf<QuotaUsage, object>(QuotaDetailView);

type Row = Readonly<Record<ComputeQuota, unknown>>;

/** The shown part of a quota; by default its limit. */
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

const ID = { id: Shown(String, 'The ID of the project or the name of the class.') };

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

function QuotaFields(last: LastVersions): ClassDecorator {
  return ({ prototype }) => {
    for (const name of COMPUTE_QUOTA_NAMES) {
      const end = last[name];
      const until = end === undefined ? '' : ` Until 2.${end}.`;
      const description = `${COMPUTE_QUOTAS[name].about} -1 for unlimited.${until}`;
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
    description: 'Whether a limit may be below the usage.',
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
    description: "The ID of a user; users share the project's quotas.",
  })
  user_id?: string;
}

export class QuotaSetQuery {
  @UnsupportedField('quotas are of projects, not of their users')
  user_id?: unknown;
}
