/**
 * The target of a bucket's access logs, in XML. Public source: Amazon S3 API
 * reference, "PutBucketLogging".
 */
import { granteeOf, granteeTree } from '../access/acl-document.js';
import { MAX_GRANTS, AclRules } from '../access/acl-request.js';
import { fullControl, type Acl, type Grant } from '../buckets/acl.js';
import { BucketRepository } from '../buckets/bucket.repository.js';
import { DATE_SOURCES, type Logging, type LogKeyFormat } from '../buckets/bucket.entity.js';
import { goneError, type ConfigurationPage } from '../configurations/configuration.operations.js';
import { requireKey } from '../http/s3-request.js';
import type { S3Answer } from '../http/s3-answer.js';
import { choiceOf, malformed, requireOnly, type XmlElement, type XmlTree } from '../http/xml.js';
import { Handles, type BucketCall, type Operation } from '../operations/operation.js';
import { xmlOf } from '../operations/read-document.js';
import { dayOf, logKeyOf } from './access-log-batch.entity.js';
import { LogTargets } from './log-targets.js';

const PERMISSIONS = ['FULL_CONTROL', 'READ', 'WRITE'] as const;
const ELEMENTS = ['TargetBucket', 'TargetPrefix', 'TargetGrants', 'TargetObjectKeyFormat'];

/** PUT is an operation of its own, since it checks the target. */
export const LOGGING = {
  kind: 'logging',
  root: 'BucketLoggingStatus',
  operations: { get: 'GetBucketLogging' },
  absent: { shown: {} },

  parse(document): Logging | null {
    requireOnly(document, ['LoggingEnabled']);
    const enabled = document.child('LoggingEnabled');
    if (!enabled) return null;
    requireOnly(enabled, ELEMENTS);
    const bucket = enabled.need('TargetBucket').text.trim();
    if (bucket === '') throw malformed('TargetBucket is empty.');
    return {
      bucket,
      prefix: enabled.need('TargetPrefix').text,
      ...grantsOf(enabled.child('TargetGrants')),
      ...keyFormatOf(enabled.child('TargetObjectKeyFormat')),
    };
  },

  show: ({ bucket, prefix, grants, keyFormat }) => ({
    LoggingEnabled: {
      TargetBucket: bucket,
      TargetGrants: grants && {
        Grant: grants.map(({ grantee, permission }) => ({
          Grantee: granteeTree(grantee),
          Permission: permission,
        })),
      },
      TargetObjectKeyFormat: keyFormat && keyFormatTree(keyFormat),
      TargetPrefix: prefix,
    },
  }),
} as const satisfies ConfigurationPage<'logging'>;

/** The ACL of delivered logs; null if no grants are configured. */
export function aclOfLogs({ grants = [] }: Logging, owner: Grant): Acl | null {
  if (grants.length === 0 || owner.grantee.kind !== 'project') return null;
  return { owner: owner.grantee.id, grants: [owner, ...grants] };
}

function grantsOf(element: XmlElement | undefined): Pick<Logging, 'grants'> {
  if (!element) return {};
  requireOnly(element, ['Grant']);
  const grants = element.children('Grant');
  if (grants.length > MAX_GRANTS)
    throw malformed(`TargetGrants has at most ${MAX_GRANTS} grants, not ${grants.length}.`);
  if (grants.length === 0) return {};
  return {
    grants: grants.map((grant) => ({
      grantee: granteeOf(grant.need('Grantee')),
      permission: choiceOf(grant.need('Permission'), PERMISSIONS),
    })),
  };
}

function keyFormatOf(element: XmlElement | undefined): Pick<Logging, 'keyFormat'> {
  if (!element) return {};
  requireOnly(element, ['SimplePrefix', 'PartitionedPrefix']);
  const [simple, partitioned] = [element.child('SimplePrefix'), element.child('PartitionedPrefix')];
  if ((simple === undefined) === (partitioned === undefined))
    throw malformed('TargetObjectKeyFormat must have one of SimplePrefix and PartitionedPrefix.');
  if (!partitioned) return { keyFormat: { kind: 'simple' } };
  requireOnly(partitioned, ['PartitionDateSource']);
  const source = partitioned.child('PartitionDateSource');
  return {
    keyFormat: { kind: 'partitioned', ...(source && { by: choiceOf(source, DATE_SOURCES) }) },
  };
}

function keyFormatTree(format: LogKeyFormat): XmlTree {
  return format.kind === 'simple'
    ? { SimplePrefix: {} }
    : { PartitionedPrefix: { PartitionDateSource: format.by } };
}

@Handles('PutBucketLogging')
export class PutBucketLogging implements Operation<BucketCall> {
  constructor(
    private readonly buckets: BucketRepository,
    private readonly targets: LogTargets,
    private readonly aclRules: AclRules,
  ) {}

  /**
   * @throws S3Error MalformedXML, MalformedACLError, InvalidTargetBucketForLogging,
   * CrossLocationLoggingProhibited, KeyTooLongError, AccessControlListNotSupported,
   * InvalidArgument for a grantee that there is not, AccessDenied for the public where that is blocked
   */
  async run(call: BucketCall): Promise<S3Answer> {
    const { ctx, bucket } = call;
    const logging = LOGGING.parse(await xmlOf(call, LOGGING.root));
    if (logging) await this.#require(call, logging);
    if (!(await this.buckets.configure(ctx, bucket, 'logging', logging))) throw goneError(bucket);
    return {};
  }

  async #require({ ctx, bucket, caller }: BucketCall, logging: Logging): Promise<void> {
    const target = await this.targets.require(ctx, bucket, logging);
    const now = new Date();
    const { projectId, region, name } = bucket;
    requireKey(logKeyOf({ projectId, region, name, logging, day: dayOf(now) }, now));
    await this.aclRules.require(target, aclOfLogs(logging, fullControl(target.projectId)), caller);
  }
}
