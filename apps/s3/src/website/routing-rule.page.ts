/** Rules of a website that redirect. Public source: Amazon S3 API reference, "RoutingRule". */
import { S3Error } from '../http/s3-error.js';
import {
  choiceOf,
  integerOf,
  malformed,
  requireOnly,
  type XmlElement,
  type XmlTree,
} from '../http/xml.js';
import type { Redirect, RoutingRule } from './website.js';

export const MAX_RULES = 50;
const REDIRECTS = [301, 302, 303, 304, 305, 307, 308];

/** @throws S3Error MalformedXML, InvalidRequest */
export function routingRuleOf(rule: XmlElement): RoutingRule {
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

export function showRoutingRule({ condition, redirect }: RoutingRule): XmlTree {
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

/** @throws S3Error MalformedXML, InvalidRequest for what no URL can have as its host */
export function hostNameOf({ text }: XmlElement): string {
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
