/** Who pays for requests. Public source: Amazon S3 API reference, "PutBucketRequestPayment". */
import { choiceOf } from '../../http/xml-values.js';
import type { ConfigurationPage } from '../configuration-page.js';

export const REQUEST_PAYMENT: ConfigurationPage<'requestPayment'> = {
  kind: 'requestPayment',
  root: 'RequestPaymentConfiguration',
  operations: { get: 'GetBucketRequestPayment', put: 'PutBucketRequestPayment' },
  absent: { shown: { Payer: 'BucketOwner' } },
  parse: (document) => choiceOf(document.need('Payer'), ['BucketOwner', 'Requester']),
  show: (payer) => ({ Payer: payer }),
};
