/** Rules for pages of other origins. Public source: Amazon S3 API reference, "PutBucketCors". */
import { CORS_METHODS, type CorsMethod, type CorsRule } from '../buckets/cors-rules.js';
import { S3Error } from '../http/s3-error.js';
import { isHeaderName } from '../http/s3-request.js';
import { integerOf, malformed, requireOnly, type XmlElement } from '../http/xml.js';
import type { ConfigurationPage } from './configuration.operations.js';

const MAX_RULES = 100;
const MAX_ID = 255;
const ELEMENTS = [
  'ID',
  'AllowedHeader',
  'AllowedMethod',
  'AllowedOrigin',
  'ExposeHeader',
  'MaxAgeSeconds',
];

export const CORS: ConfigurationPage<'cors'> = {
  kind: 'cors',
  root: 'CORSConfiguration',
  operations: { get: 'GetBucketCors', put: 'PutBucketCors', delete: 'DeleteBucketCors' },
  absent: 'NoSuchCORSConfiguration',

  parse(document) {
    requireOnly(document, ['CORSRule']);
    const rules = document.children('CORSRule').map(ruleOf);
    if (rules.length < 1 || rules.length > MAX_RULES)
      throw malformed(`There must be from 1 to ${MAX_RULES} rules, and not ${rules.length}.`);
    return rules;
  },

  show: (rules) => ({
    CORSRule: rules.map(({ id, origins, methods, headers, exposed, maxAgeSeconds }) => ({
      ID: id,
      AllowedHeader: headers,
      AllowedMethod: methods,
      AllowedOrigin: origins,
      ExposeHeader: exposed,
      MaxAgeSeconds: maxAgeSeconds,
    })),
  }),
};

function ruleOf(rule: XmlElement): CorsRule {
  requireOnly(rule, ELEMENTS);
  const id = rule.child('ID')?.text;
  if (id !== undefined && id.length > MAX_ID)
    throw malformed(`The ID of a rule is longer than ${MAX_ID} characters.`);
  const maxAge = rule.child('MaxAgeSeconds');
  const origins = textsOf(rule, 'AllowedOrigin');
  const methods = textsOf(rule, 'AllowedMethod').map(methodOf);
  if (origins.length === 0) throw malformed('CORSRule has no AllowedOrigin.');
  if (methods.length === 0) throw malformed('CORSRule has no AllowedMethod.');
  return {
    ...(id === undefined ? {} : { id }),
    origins,
    methods,
    headers: textsOf(rule, 'AllowedHeader'),
    exposed: exposedOf(rule),
    ...(maxAge === undefined ? {} : { maxAgeSeconds: ageOf(maxAge) }),
  };
}

function textsOf(rule: XmlElement, name: string): string[] {
  return rule.children(name).map(({ text }) => {
    if (text.split('*').length <= 2) return text;
    throw invalid(`${name} "${text}" can not have more than one wildcard.`);
  });
}

function exposedOf(rule: XmlElement): string[] {
  return rule.children('ExposeHeader').map(({ text }) => {
    if (!text.includes('*')) {
      if (isHeaderName(text)) return text;
      throw invalid(`ExposeHeader "${text.slice(0, 100)}" is not the name of a header.`);
    }
    throw invalid(
      `ExposeHeader "${text}" contains wildcard. We currently do not support wildcard for ExposeHeader.`,
    );
  });
}

function methodOf(text: string): CorsMethod {
  const method = CORS_METHODS.find((one) => one === text);
  if (method !== undefined) return method;
  throw invalid(
    `Found unsupported HTTP method in CORS config. Unsupported method is ${text.slice(0, 100)}`,
  );
}

function ageOf(element: XmlElement): number {
  const seconds = integerOf(element);
  if (seconds >= 0 && seconds < 2 ** 31) return seconds;
  throw malformed(`MaxAgeSeconds must be from 0 to ${2 ** 31 - 1}, and not ${seconds}.`);
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidRequest', { message });
}
