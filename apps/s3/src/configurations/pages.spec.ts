import { describe, expect, it } from '@jest/globals';
import type { Acl } from '../buckets/acl.js';
import type { Bucket, ConfigurationKind } from '../buckets/bucket.entity.js';
import { readXml, writeXml } from '../http/xml.js';
import { LIFECYCLE } from './lifecycle.page.js';
import { NOTIFICATION } from './notification.page.js';
import { WEBSITE } from './website.page.js';
import type { ConfigurationPage } from './configuration.operations.js';
import { CORS } from './cors.page.js';
import { ENCRYPTION } from './encryption.page.js';
import { defaultRetentionOf, showObjectLock } from './object-lock.operations.js';
import { OWNERSHIP, PUBLIC_ACCESS_BLOCK, REQUEST_PAYMENT, TAGGING } from './short.pages.js';

function owned(acl: Acl | null): Bucket {
  return { name: 'shop', projectId: 'owner', acl } as Bucket;
}

/** The rules, without their container. */
function parse<Kind extends ConfigurationKind>(
  page: ConfigurationPage<Kind>,
  xml: string,
  bucket = owned(null),
) {
  return page.parse(readXml(`<${page.root}>${xml}</${page.root}>`, page.root), bucket);
}

/** The document that is shown after this one was put. */
function shown<Kind extends ConfigurationKind>(page: ConfigurationPage<Kind>, xml: string): string {
  const value = parse(page, xml);
  if (value === null) throw new Error('nothing is configured');
  return writeXml('R', page.show(value), '').replace(/^.*\n<R>|<\/R>$/g, '');
}

const rule = (xml: string): string =>
  `<Rule><ID>a</ID><Prefix></Prefix><Status>Enabled</Status>${xml}</Rule>`;
const filtered = (xml: string, action = '<Expiration><Days>1</Days></Expiration>'): string =>
  `<Rule><ID>a</ID><Filter>${xml}</Filter><Status>Disabled</Status>${action}</Rule>`;
const cors = (xml: string): string =>
  `<CORSRule>${xml}<AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin></CORSRule>`;
const topic = (xml: string): string =>
  `<TopicConfiguration><Id>a</Id><Topic>arn:aws:sns:::https://hooks.example/a?b=c</Topic>${xml}</TopicConfiguration>`;
const TAG = '<Tag><Key>a</Key><Value>b</Value></Tag>';

describe('a configuration is shown as it was sent', () => {
  it.each<[ConfigurationPage, string]>([
    [TAGGING, `<TagSet>${TAG}</TagSet>`],
    [OWNERSHIP, '<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>'],
    [
      PUBLIC_ACCESS_BLOCK,
      '<BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>false</IgnorePublicAcls>' +
        '<BlockPublicPolicy>true</BlockPublicPolicy><RestrictPublicBuckets>false</RestrictPublicBuckets>',
    ],
    [
      ENCRYPTION,
      '<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>aws:kms</SSEAlgorithm>' +
        '<KMSMasterKeyID>k</KMSMasterKeyID></ApplyServerSideEncryptionByDefault>' +
        '<BucketKeyEnabled>true</BucketKeyEnabled></Rule>',
    ],
    [
      CORS,
      '<CORSRule><ID>a</ID><AllowedHeader>x-*</AllowedHeader><AllowedMethod>PUT</AllowedMethod>' +
        '<AllowedMethod>GET</AllowedMethod><AllowedOrigin>https://*.example</AllowedOrigin>' +
        '<ExposeHeader>etag</ExposeHeader><MaxAgeSeconds>0</MaxAgeSeconds></CORSRule>',
    ],
    [LIFECYCLE, rule('<Expiration><Days>3</Days></Expiration>')],
    [
      LIFECYCLE,
      rule('<Expiration><Date>2030-01-02T00:00:00.000Z</Date></Expiration>') +
        rule(
          '<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>' +
            '<NoncurrentVersionExpiration><NoncurrentDays>2</NoncurrentDays>' +
            '<NewerNoncurrentVersions>3</NewerNoncurrentVersions></NoncurrentVersionExpiration>' +
            '<AbortIncompleteMultipartUpload><DaysAfterInitiation>4</DaysAfterInitiation>' +
            '</AbortIncompleteMultipartUpload>',
        ).replace('<ID>a', '<ID>b'),
    ],
    [LIFECYCLE, filtered('')],
    [LIFECYCLE, filtered(TAG)],
    [LIFECYCLE, filtered('<Prefix></Prefix>')],
    [LIFECYCLE, filtered('<ObjectSizeGreaterThan>0</ObjectSizeGreaterThan>')],
    [
      LIFECYCLE,
      filtered(
        `<And><Prefix>p</Prefix>${TAG}<ObjectSizeGreaterThan>1</ObjectSizeGreaterThan>` +
          '<ObjectSizeLessThan>9</ObjectSizeLessThan></And>',
      ),
    ],
    [NOTIFICATION, topic('<Event>s3:ObjectCreated:*</Event>')],
    [
      NOTIFICATION,
      '<QueueConfiguration><Id>a</Id><Queue>arn:aws:sqs:::http://hooks.example</Queue>' +
        '<Event>s3:ObjectRemoved:Delete</Event><Filter><S3Key><FilterRule><Name>prefix</Name>' +
        '<Value>in/</Value></FilterRule><FilterRule><Name>suffix</Name><Value>.jpg</Value>' +
        '</FilterRule></S3Key></Filter></QueueConfiguration>',
    ],
    [
      WEBSITE,
      '<RedirectAllRequestsTo><HostName>a.example</HostName><Protocol>https</Protocol></RedirectAllRequestsTo>',
    ],
    [
      WEBSITE,
      '<IndexDocument><Suffix>index.html</Suffix></IndexDocument><ErrorDocument><Key>e.html</Key>' +
        '</ErrorDocument><RoutingRules><RoutingRule><Condition><KeyPrefixEquals>a/</KeyPrefixEquals>' +
        '<HttpErrorCodeReturnedEquals>404</HttpErrorCodeReturnedEquals></Condition><Redirect>' +
        '<HostName>b.example</HostName><Protocol>http</Protocol><HttpRedirectCode>302</HttpRedirectCode>' +
        '<ReplaceKeyPrefixWith>b/</ReplaceKeyPrefixWith></Redirect></RoutingRule><RoutingRule>' +
        '<Redirect><ReplaceKeyWith>c</ReplaceKeyWith></Redirect></RoutingRule></RoutingRules>',
    ],
  ])('%#', (page, xml) => expect(shown(page, xml)).toBe(xml));

  it('except for ids, which are generated', () => {
    for (const [page, xml] of [
      [LIFECYCLE, rule('<Expiration><Days>3</Days></Expiration>').replace('<ID>a</ID>', '')],
      [NOTIFICATION, topic('<Event>s3:ObjectCreated:*</Event>').replace('<Id>a</Id>', '')],
    ] as const)
      expect(shown(page as never, xml)).toMatch(/<I[Dd]>[0-9a-f-]{36}</);
  });

  it('except for several conditions of a lifecycle rule, which are combined', () => {
    const sent = `<Prefix>days1/</Prefix>${TAG}<And><Prefix>days1</Prefix></And>`;
    expect(shown(LIFECYCLE, filtered(sent))).toBe(
      filtered(`<And><Prefix>days1/</Prefix>${TAG}</And>`),
    );
    expect(shown(LIFECYCLE, filtered(`<Prefix/>${TAG}`))).toBe(filtered(TAG));
  });
});

describe('a configuration is refused', () => {
  const again = (xml: string, times: number): string => xml.repeat(times);
  it.each<[string, ConfigurationPage, string]>([
    ['MalformedXML', CORS, ''],
    ['MalformedXML', CORS, again(cors(''), 101)],
    ['MalformedXML', CORS, '<CORSRule><AllowedMethod>GET</AllowedMethod></CORSRule>'],
    ['MalformedXML', CORS, '<CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule>'],
    ['MalformedXML', CORS, cors('<MaxAgeSeconds>-1</MaxAgeSeconds>')],
    ['MalformedXML', CORS, cors('<MaxAgeSeconds>soon</MaxAgeSeconds>')],
    ['InvalidRequest', CORS, cors('<AllowedMethod>PATCH</AllowedMethod>')],
    ['InvalidRequest', CORS, cors('<AllowedOrigin>*.*</AllowedOrigin>')],
    ['InvalidRequest', CORS, cors('<ExposeHeader>x-*</ExposeHeader>')],
    ['InvalidTag', TAGGING, `<TagSet>${TAG}${TAG}</TagSet>`],
    ['MalformedXML', TAGGING, ''],
    ['MalformedXML', OWNERSHIP, '<Rule><ObjectOwnership>Mine</ObjectOwnership></Rule>'],
    ['MalformedXML', PUBLIC_ACCESS_BLOCK, '<BlockPublicAcls>yes</BlockPublicAcls>'],
    ['MalformedXML', PUBLIC_ACCESS_BLOCK, '<BlockAll>true</BlockAll>'],
    ['MalformedXML', REQUEST_PAYMENT, '<Payer>Nobody</Payer>'],
    ['MalformedXML', ENCRYPTION, ''],
    [
      'MalformedXML',
      ENCRYPTION,
      '<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>ROT13</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>',
    ],
    [
      'InvalidArgument',
      ENCRYPTION,
      '<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm><KMSMasterKeyID>k</KMSMasterKeyID></ApplyServerSideEncryptionByDefault></Rule>',
    ],
    ['MalformedXML', LIFECYCLE, ''],
    ['InvalidRequest', LIFECYCLE, rule('')],
    ['InvalidArgument', LIFECYCLE, rule('<Expiration><Days>0</Days></Expiration>')],
    ['MalformedXML', LIFECYCLE, rule('<Expiration><Days>1.5</Days></Expiration>')],
    ['MalformedXML', LIFECYCLE, rule('<Expiration></Expiration>')],
    ['MalformedXML', LIFECYCLE, rule('<Expiration><Date>20220927</Date></Expiration>')],
    [
      'InvalidArgument',
      LIFECYCLE,
      rule('<Expiration><Date>2030-01-02T01:00:00Z</Date></Expiration>'),
    ],
    [
      'MalformedXML',
      LIFECYCLE,
      rule('<Expiration><Days>1</Days><Date>2030-01-02</Date></Expiration>'),
    ],
    [
      'NotImplemented',
      LIFECYCLE,
      rule('<Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition>'),
    ],
    [
      'InvalidArgument',
      LIFECYCLE,
      rule('<Expiration><Days>1</Days></Expiration>').replace('<ID>a', `<ID>${'a'.repeat(256)}`),
    ],
    ['MalformedXML', LIFECYCLE, again(rule('<Expiration><Days>1</Days></Expiration>'), 1_001)],
    ['InvalidArgument', LIFECYCLE, again(rule('<Expiration><Days>1</Days></Expiration>'), 2)],
    ['MalformedXML', LIFECYCLE, rule('<Filter/><Expiration><Days>1</Days></Expiration>')],
    [
      'InvalidArgument',
      LIFECYCLE,
      rule(
        '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays><NewerNoncurrentVersions>101</NewerNoncurrentVersions></NoncurrentVersionExpiration>',
      ),
    ],
    [
      'InvalidRequest',
      LIFECYCLE,
      filtered(
        TAG,
        '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>',
      ),
    ],
    [
      'InvalidRequest',
      LIFECYCLE,
      filtered(
        '<And><ObjectSizeGreaterThan>5</ObjectSizeGreaterThan><ObjectSizeLessThan>5</ObjectSizeLessThan></And>',
      ),
    ],
    ['InvalidArgument', NOTIFICATION, topic('<Event>s3:Everything</Event>')],
    ['MalformedXML', NOTIFICATION, topic('')],
    ['NotImplemented', NOTIFICATION, '<EventBridgeConfiguration/>'],
    [
      'InvalidArgument',
      NOTIFICATION,
      topic('<Event>s3:ObjectCreated:*</Event>').replace('https:', 'ftp:'),
    ],
    [
      'InvalidArgument',
      NOTIFICATION,
      topic('<Event>s3:ObjectCreated:*</Event>').replace('hooks.', 'me:secret@hooks.'),
    ],
    ['InvalidArgument', NOTIFICATION, again(topic('<Event>s3:ObjectCreated:*</Event>'), 2)],
    ['InvalidArgument', NOTIFICATION, again(topic('<Event>s3:ObjectCreated:*</Event>'), 101)],
    ['InvalidArgument', WEBSITE, ''],
    ['InvalidArgument', WEBSITE, '<IndexDocument><Suffix>a/b</Suffix></IndexDocument>'],
    [
      'InvalidArgument',
      WEBSITE,
      '<RedirectAllRequestsTo><HostName>a</HostName></RedirectAllRequestsTo><ErrorDocument><Key>e</Key></ErrorDocument>',
    ],
    [
      'InvalidRequest',
      WEBSITE,
      '<IndexDocument><Suffix>i</Suffix></IndexDocument><RoutingRules><RoutingRule><Redirect><ReplaceKeyWith>a</ReplaceKeyWith><ReplaceKeyPrefixWith>b</ReplaceKeyPrefixWith></Redirect></RoutingRule></RoutingRules>',
    ],
    [
      'InvalidRequest',
      WEBSITE,
      '<RedirectAllRequestsTo><HostName>a b</HostName></RedirectAllRequestsTo>',
    ],
  ])('with %s: %#', (code, page, xml) => {
    expect(() => parse(page, xml)).toThrow(expect.objectContaining({ code }));
  });

  it('that enforces bucket ownership while the ACL grants access to others', () => {
    const xml = '<Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>';
    const acl = (id: string): Acl => ({
      owner: 'owner',
      grants: [{ grantee: { kind: 'project', id }, permission: 'FULL_CONTROL' }],
    });
    expect(parse(OWNERSHIP, xml, owned(acl('owner')))).toBe('BucketOwnerEnforced');
    expect(() => parse(OWNERSHIP, xml, owned(acl('other')))).toThrow(
      expect.objectContaining({ code: 'InvalidBucketAclWithObjectOwnership' }),
    );
  });
});

it('an empty document configures no notifications', () => {
  expect(parse(NOTIFICATION, '')).toBeNull();
});

describe('default retention', () => {
  const parsed = (xml: string) =>
    defaultRetentionOf(
      readXml(
        `<ObjectLockConfiguration>${xml}</ObjectLockConfiguration>`,
        'ObjectLockConfiguration',
      ),
    );
  const retention = (xml: string): string =>
    `<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention><Mode>GOVERNANCE</Mode>${xml}</DefaultRetention></Rule>`;

  it('is shown as it was sent', () => {
    const xml = retention('<Days>3</Days>');
    expect(writeXml('R', showObjectLock(parsed(xml) ?? undefined), '')).toContain(`<R>${xml}</R>`);
    expect(parsed('<ObjectLockEnabled>Enabled</ObjectLockEnabled>')).toBeNull();
  });

  it.each([
    ['InvalidRetentionPeriod', retention('<Days>0</Days>')],
    ['InvalidRetentionPeriod', retention('<Years>-1</Years>')],
    ['InvalidRetentionPeriod', retention('<Years>101</Years>')],
    ['MalformedXML', retention('<Years>1</Years><Days>1</Days>')],
    ['MalformedXML', retention('')],
    ['MalformedXML', '<ObjectLockEnabled>Disabled</ObjectLockEnabled>'],
    ['MalformedXML', retention('<Days>1</Days>').replace('GOVERNANCE', 'governance')],
  ])('is refused with %s: %s', (code, xml) => {
    expect(() => parsed(xml)).toThrow(expect.objectContaining({ code }));
  });
});

it('a CORS rule exposes only valid header names', () => {
  const rule = '<AllowedMethod>GET</AllowedMethod><AllowedOrigin>*</AllowedOrigin>';
  const naming = (name: string) =>
    parse(CORS, `<CORSRule>${rule}<ExposeHeader>${name}</ExposeHeader></CORSRule>`);
  expect(naming('ETag')).toMatchObject([{ exposed: ['ETag'] }]);
  for (const name of ['a b', 'a&#10;b', '日', ''])
    expect(() => naming(name)).toThrow('is not the name of a header');
});
