/** What a client must still show. Public source: Keystone API reference, "Multi-Step authentication". */
import { Shown } from '@cumulet/common/http/shown';
import { timestamp } from '../http/timestamp.js';
import type { Receipt } from './receipts.js';

class ReceiptDomainView {
  @Shown(String, 'Id of the domain.')
  id: string;

  @Shown(String, 'Name of the domain.')
  name: string;
}

class ReceiptUserView extends ReceiptDomainView {
  @Shown(() => ReceiptDomainView, 'The domain that owns the user.')
  domain: ReceiptDomainView;
}

class ReceiptView {
  @Shown([String], 'The methods by which the user has authenticated.')
  methods: readonly string[];

  @Shown(() => ReceiptUserView, 'The user.')
  user: ReceiptUserView;

  @Shown('date-time', 'When it was issued.')
  issued_at: string;

  @Shown('date-time', 'Until when it can be used.')
  expires_at: string;
}

export class ReceiptAnswer {
  @Shown(() => ReceiptView, 'What the user has shown.')
  receipt: ReceiptView;

  @Shown([[String]], 'Lists of methods, each of which is enough together.')
  required_auth_methods: readonly (readonly string[])[];
}

export function receiptView(receipt: Receipt): ReceiptAnswer {
  const { account, methods, issuedAt, expiresAt, requiredMethods } = receipt;
  return {
    receipt: {
      methods,
      user: {
        id: account.id,
        name: account.name,
        domain: { id: account.domainId, name: account.domainName },
      },
      issued_at: timestamp(issuedAt),
      expires_at: timestamp(expiresAt),
    },
    required_auth_methods: requiredMethods,
  };
}
