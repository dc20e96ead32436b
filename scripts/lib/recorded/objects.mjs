/** Buckets with every kind of setting, and objects of every kind, by an SDK. */
import { createHash, randomBytes } from 'node:crypto';
import * as sdk from '@aws-sdk/client-s3';

const LARGE = 'large '.repeat(50_000);

/** @param keys by name: `own` makes everything, and the others are kept with it */
export async function makeBuckets(client, keys) {
  const { token } = await client.whoAmI();
  const { endpoints } = token.catalog.find(({ type }) => type === 's3');
  const { url } = endpoints.find(({ interface: kind }) => kind === 'public');
  const s3 = new sdk.S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: keys.own.access, secretAccessKey: keys.own.secret },
  });
  const send = (name, input) => s3.send(new sdk[`${name}Command`](input));
  try {
    const configured = await makeConfigured(send, token.project.id);
    const locked = await makeLocked(send);
    return { keys, project: token.project.id, ...configured, ...locked };
  } finally {
    s3.destroy();
  }
}

/** A bucket of which everything is set that can be set. */
async function makeConfigured(send, project) {
  const Bucket = 'recorded';
  await send('CreateBucket', { Bucket });
  await send('PutBucketVersioning', { Bucket, VersioningConfiguration: { Status: 'Enabled' } });
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'everybody-reads',
        Effect: 'Allow',
        Principal: '*',
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${Bucket}/open/*`,
      },
      {
        Sid: 'nobody-deletes',
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:DeleteObject',
        Resource: `arn:aws:s3:::${Bucket}/kept/*`,
      },
    ],
  };
  await send('PutBucketPolicy', { Bucket, Policy: JSON.stringify(policy) });
  const lifecycle = [
    {
      ID: 'old',
      Status: 'Enabled',
      Filter: { And: { Prefix: 'old/', Tags: [{ Key: 'kind', Value: 'old' }] } },
      Expiration: { Days: 36500 },
      NoncurrentVersionExpiration: { NoncurrentDays: 36500, NewerNoncurrentVersions: 2 },
    },
    {
      ID: 'unfinished',
      Status: 'Enabled',
      Filter: { Prefix: '' },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 36500 },
    },
  ];
  await send('PutBucketLifecycleConfiguration', {
    Bucket,
    LifecycleConfiguration: { Rules: lifecycle },
  });
  const cors = [{ AllowedMethods: ['GET'], AllowedOrigins: ['https://*.example.org'] }];
  await send('PutBucketCors', { Bucket, CORSConfiguration: { CORSRules: cors } });
  await send('PutBucketTagging', { Bucket, Tagging: { TagSet: [{ Key: 'kind', Value: 'test' }] } });
  await send('PutBucketWebsite', {
    Bucket,
    WebsiteConfiguration: { IndexDocument: { Suffix: 'index.html' } },
  });
  const hook = {
    Id: 'hook',
    TopicArn: 'arn:aws:sns:::https://hooks.example.org/recorded',
    Events: ['s3:ObjectTagging:*'],
    Filter: { Key: { FilterRules: [{ Name: 'prefix', Value: 'told/' }] } },
  };
  await send('PutBucketNotificationConfiguration', {
    Bucket,
    NotificationConfiguration: { TopicConfigurations: [hook] },
  });
  await send('CreateBucket', { Bucket: 'recorded-logs' });
  await send('PutBucketLogging', {
    Bucket,
    BucketLoggingStatus: {
      LoggingEnabled: { TargetBucket: 'recorded-logs', TargetPrefix: 'logs/' },
    },
  });
  const put = (Key, Body, more = {}) => send('PutObject', { Bucket, Key, Body, ...more });
  await put('open/page.html', 'open to all', { ContentType: 'text/html' });
  await put('kept/page', 'kept from deletes', { Metadata: { purpose: 'recorded' } });
  await put('old/page', 'old', { Tagging: 'kind=old' });
  const { VersionId: first } = await put('versions', 'the first');
  await put('versions', 'the second', { ServerSideEncryption: 'AES256' });
  for (const name of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'])
    await put(`sums/${name}`, name, { ChecksumAlgorithm: name });
  // Too large for a row.
  await put('large', LARGE);
  await put('gone', 'gone');
  await send('DeleteObject', { Bucket, Key: 'gone' });
  const customer = randomBytes(32);
  const withCustomerKey = {
    SSECustomerAlgorithm: 'AES256',
    SSECustomerKey: customer.toString('base64'),
  };
  await put('sealed', 'sealed by its owner', withCustomerKey);
  const upload = await send('CreateMultipartUpload', { Bucket, Key: 'unfinished' });
  const at = { Bucket, Key: 'unfinished', UploadId: upload.UploadId };
  await send('UploadPart', { ...at, PartNumber: 1, Body: 'a part' });
  return {
    bucket: Bucket,
    anonymous: `${project}:${Bucket}`,
    policy,
    lifecycle,
    cors,
    hook,
    first,
    large: createHash('sha256').update(LARGE).digest('hex'),
    customerKey: withCustomerKey.SSECustomerKey,
    upload: at,
  };
}

/** A bucket whose objects are held. */
async function makeLocked(send) {
  const Bucket = 'recorded-locked';
  await send('CreateBucket', { Bucket, ObjectLockEnabledForBucket: true });
  const at = { Bucket, Key: 'held' };
  const { VersionId } = await send('PutObject', { ...at, Body: 'held' });
  await send('PutObjectLegalHold', { ...at, LegalHold: { Status: 'ON' } });
  return { held: { ...at, VersionId } };
}
