/** What of public access is taken back. Public source: Amazon S3 API reference, "PutPublicAccessBlock". */
import { booleanOf, requireOnly, type XmlElement } from '../../http/xml.js';
import type { ConfigurationPage } from '../configuration-page.js';

const NAMES = [
  'BlockPublicAcls',
  'IgnorePublicAcls',
  'BlockPublicPolicy',
  'RestrictPublicBuckets',
] as const;

export const PUBLIC_ACCESS_BLOCK: ConfigurationPage<'publicAccessBlock'> = {
  kind: 'publicAccessBlock',
  root: 'PublicAccessBlockConfiguration',
  operations: {
    get: 'GetPublicAccessBlock',
    put: 'PutPublicAccessBlock',
    delete: 'DeletePublicAccessBlock',
  },
  absent: 'NoSuchPublicAccessBlockConfiguration',

  parse(document) {
    requireOnly(document, NAMES);
    return {
      blockPublicAcls: isSet(document, 'BlockPublicAcls'),
      ignorePublicAcls: isSet(document, 'IgnorePublicAcls'),
      blockPublicPolicy: isSet(document, 'BlockPublicPolicy'),
      restrictPublicBuckets: isSet(document, 'RestrictPublicBuckets'),
    };
  },

  show: (block) => ({
    BlockPublicAcls: block.blockPublicAcls,
    IgnorePublicAcls: block.ignorePublicAcls,
    BlockPublicPolicy: block.blockPublicPolicy,
    RestrictPublicBuckets: block.restrictPublicBuckets,
  }),
};

function isSet(document: XmlElement, name: (typeof NAMES)[number]): boolean {
  const element = document.child(name);
  return element !== undefined && booleanOf(element);
}
