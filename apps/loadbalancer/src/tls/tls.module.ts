import { Feature } from '@cumulet/common/service/feature';
import { CertificateExpiry } from './certificate-expiry.js';
import { secretsProvider } from './secrets.port.js';
import { TLS_CONTENTS } from './tls-contents.port.js';
import { TlsContentsService } from './tls-contents.service.js';
import { TlsConsumer } from './tls-consumer.entity.js';
import { TlsConsumers } from './tls-consumers.js';

@Feature({
  entities: [TlsConsumer],
  providers: [
    CertificateExpiry,
    secretsProvider,
    TlsConsumers,
    { provide: TLS_CONTENTS, useClass: TlsContentsService },
  ],
})
export class TlsModule {}
