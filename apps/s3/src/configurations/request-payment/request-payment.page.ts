/** Who pays for requests. Public source: Amazon S3 API reference, "PutBucketRequestPayment". */
import { S3Error } from '../../http/s3-error.js';
import { choiceOf } from '../../http/xml-values.js';
import type { ConfigurationPage } from '../configuration-page.js';

export const REQUEST_PAYMENT: ConfigurationPage<'requestPayment'> = {
  kind: 'requestPayment',
  root: 'RequestPaymentConfiguration',
  operations: { get: 'GetBucketRequestPayment', put: 'PutBucketRequestPayment' },
  absent: { shown: { Payer: 'BucketOwner' } },
  parse(document) {
    const payer = choiceOf(document.need('Payer'), ['BucketOwner', 'Requester']);
    if (payer === 'BucketOwner') return null;
    throw new S3Error('NotImplemented', {
      message: 'Requester Pays is not implemented: requests cost nobody anything.',
    });
  },
  show: (payer) => ({ Payer: payer }),
};
