import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '@cumulet/common/auth/access';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { Refuses } from '@cumulet/common/http/unsupported-operations';
import { UNSUPPORTED_OPERATIONS } from './unsupported-operations.js';

/** What is not offered answers by name that it is not: 501, to whoever may ask for it. */
@ApiTags('not supported')
@Controller()
@Refuses(UNSUPPORTED_OPERATIONS)
export class UnsupportedController {
  /** Keystone refuses it too: it keeps no tokens that it could list. */
  @Get('v3/auth/tokens/OS-PKI/revoked')
  @Authenticated()
  listRevokedTokens(): never {
    throw new ForbiddenError(
      'Revoked tokens are not listed; GET /v3/OS-REVOKE/events lists what revokes them.',
    );
  }
}
