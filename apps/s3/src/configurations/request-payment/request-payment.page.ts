/** Who pays for requests. Public source: Amazon S3 API reference, "PutBucketRequestPayment". */
import { choiceOf, requireOnly } from '../../http/xml.js';
import type { ConfigurationPage } from '../configuration-page.js';

export const REQUEST_PAYMENT: ConfigurationPage<'requestPayment'> = {
  kind: 'requestPayment',
  root: 'RequestPaymentConfiguration',
  operations: { get: 'GetBucketRequestPayment', put: 'PutBucketRequestPayment' },
  absent: { shown: { Payer: 'BucketOwner' } },
  parse(document) {
    requireOnly(document, ['Payer']);
    const payer = choiceOf(document.need('Payer'), ['BucketOwner', 'Requester']);
    return payer === 'BucketOwner' ? null : payer;
  },
  show: (payer) => ({ Payer: payer }),
};
