/** How a bucket is served as a website. Public source: Amazon S3 API reference, "PutBucketWebsite". */
import type { ConfigurationPage } from '../configurations/configuration-page.js';
import { S3Error } from '../http/s3-error.js';
import { choiceOf, requireOnly, type XmlElement } from '../http/xml.js';
import { hostNameOf, MAX_RULES, routingRuleOf, showRoutingRule } from './routing-rule.page.js';
import type { Website } from './website.js';

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
