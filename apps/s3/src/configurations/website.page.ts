/**
 * The configuration of a bucket as a website. Public source: Amazon S3 API reference, "PutBucketWebsite".
 */
import type { Redirect, RoutingRule, Website } from '../buckets/bucket.entity.js';
import { S3Error } from '../http/s3-error.js';
import {
  choiceOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../http/xml.js';
import type { ConfigurationPage } from './configuration.operations.js';

export const WEBSITE: ConfigurationPage<'website'> = {
  kind: 'website',
  root: 'WebsiteConfiguration',
  operations: {
    get: 'GetBucketWebsite',
    put: 'PutBucketWebsite',
    delete: 'DeleteBucketWebsite',
  },
  absent: 'NoSuchWebsiteConfiguration',

  parse(document) {
    requireOnly(document, [
      'RedirectAllRequestsTo',
      'IndexDocument',
      'ErrorDocument',
      'RoutingRules',
    ]);
    const all = document.child('RedirectAllRequestsTo');
    return all ? redirectAllOf(document, all) : pagesOf(document);
  },

  show: ({ indexSuffix, errorKey, redirectAll, rules }) => ({
    RedirectAllRequestsTo: redirectAll && {
      HostName: redirectAll.host,
      Protocol: redirectAll.protocol,
    },
    IndexDocument: indexSuffix === undefined ? undefined : { Suffix: indexSuffix },
    ErrorDocument: errorKey === undefined ? undefined : { Key: errorKey },
    RoutingRules: rules && { RoutingRule: rules.map(showRoutingRule) },
  }),
};

function redirectAllOf(document: XmlElement, all: XmlElement): Website {
  const others = document.names.filter((name) => name !== 'RedirectAllRequestsTo');
  if (others.length > 0) {
    throw invalid(
      'RedirectAllRequestsTo',
      `RedirectAllRequestsTo cannot be provided in conjunction with ${others.join(', ')}.`,
    );
  }
  const host = hostNameOf(all.need('HostName'));
  const protocol = all.child('Protocol');
  const chosen = protocol && choiceOf(protocol, ['http', 'https']);
  return { redirectAll: { host, ...(chosen === undefined ? {} : { protocol: chosen }) } };
}

function pagesOf(document: XmlElement): Website {
  const index = document.child('IndexDocument');
  if (!index) {
    throw invalid(
      'IndexDocument',
      'A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty',
    );
  }
  const suffix = index.need('Suffix').text;
  if (suffix === '' || suffix.includes('/'))
    throw invalid('IndexDocument', 'The IndexDocument Suffix is not well formed');
  const errorKey = document.child('ErrorDocument')?.need('Key').text;
  if (errorKey === '') throw invalid('ErrorDocument', 'The ErrorDocument Key is not well formed');
  const rules = document.child('RoutingRules')?.children('RoutingRule').map(routingRuleOf);
  if (rules && rules.length > MAX_RULES)
    throw invalid('RoutingRules', `There cannot be more than ${MAX_RULES} routing rules.`);
  return {
    indexSuffix: suffix,
    ...(errorKey === undefined ? {} : { errorKey }),
    ...(rules === undefined ? {} : { rules }),
  };
}

function invalid(ArgumentName: string, message: string): S3Error {
  return new S3Error('InvalidArgument', { message, details: { ArgumentName } });
}

const MAX_RULES = 50;
const REDIRECTS = [301, 302, 303, 304, 305, 307, 308];

/**
 * Rules of a website that redirect. Public source: Amazon S3 API reference, "RoutingRule".
 * @throws S3Error MalformedXML, InvalidRequest
 */
function routingRuleOf(rule: XmlElement): RoutingRule {
  const condition = rule.child('Condition');
  if (condition) requireOnly(condition, ['KeyPrefixEquals', 'HttpErrorCodeReturnedEquals']);
  const keyPrefix = condition?.child('KeyPrefixEquals')?.text;
  const status = condition?.child('HttpErrorCodeReturnedEquals');
  if (condition && keyPrefix === undefined && status === undefined)
    throw malformed('Condition has neither KeyPrefixEquals nor HttpErrorCodeReturnedEquals.');
  return {
    condition: {
      ...(keyPrefix === undefined ? {} : { keyPrefix }),
      ...(status === undefined ? {} : { errorStatus: errorStatusOf(status) }),
    },
    redirect: redirectOf(rule.need('Redirect')),
  };
}

function showRoutingRule({ condition, redirect }: RoutingRule): XmlTree {
  const { keyPrefix, errorStatus } = condition;
  const isConditional = keyPrefix !== undefined || errorStatus !== undefined;
  return {
    Condition: isConditional
      ? { KeyPrefixEquals: keyPrefix, HttpErrorCodeReturnedEquals: errorStatus }
      : undefined,
    Redirect: {
      HostName: redirect.host,
      Protocol: redirect.protocol,
      HttpRedirectCode: redirect.status,
      ReplaceKeyPrefixWith: redirect.keyPrefix,
      ReplaceKeyWith: redirect.key,
    },
  };
}

/** @throws S3Error MalformedXML, InvalidRequest for an invalid host */
function hostNameOf({ text }: XmlElement): string {
  if (text === '') throw malformed('HostName is empty.');
  if (!/[\s\p{Cc}]/u.test(text)) return text;
  throw new S3Error('InvalidRequest', {
    message: `The provided HostName (${text}) is not valid: it has blanks or control characters.`,
  });
}

function redirectOf(element: XmlElement): Redirect {
  requireOnly(element, [
    'HostName',
    'Protocol',
    'HttpRedirectCode',
    'ReplaceKeyPrefixWith',
    'ReplaceKeyWith',
  ]);
  if (element.names.length === 0) throw malformed('Redirect is empty.');
  const host = element.child('HostName');
  const protocol = element.child('Protocol');
  const status = element.child('HttpRedirectCode');
  const keyPrefix = element.child('ReplaceKeyPrefixWith')?.text;
  const key = element.child('ReplaceKeyWith')?.text;
  if (keyPrefix !== undefined && key !== undefined) {
    throw new S3Error('InvalidRequest', {
      message: 'You can only define ReplaceKeyPrefix or ReplaceKey but not both.',
    });
  }
  return {
    ...(host === undefined ? {} : { host: hostNameOf(host) }),
    ...(protocol === undefined ? {} : { protocol: choiceOf(protocol, ['http', 'https']) }),
    ...(status === undefined ? {} : { status: redirectStatusOf(status) }),
    ...(keyPrefix === undefined ? {} : { keyPrefix }),
    ...(key === undefined ? {} : { key }),
  };
}

function errorStatusOf(element: XmlElement): number {
  const status = integerOf(element);
  if (status >= 400 && status < 600) return status;
  throw new S3Error('InvalidRequest', {
    message: `The provided HTTP error code (${status}) is not valid. Valid codes are 4XX or 5XX.`,
  });
}

function redirectStatusOf(element: XmlElement): number {
  const status = integerOf(element);
  if (REDIRECTS.includes(status)) return status;
  throw new S3Error('InvalidRequest', {
    message: `The provided HTTP redirect code (${status}) is not valid. Valid codes are 3XX except 300.`,
  });
}
