import { Controller, Get, RequestMapping, RequestMethod } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Authenticated } from '@cumulet/common/auth/access';
import { ForbiddenError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { UNSUPPORTED_OPERATIONS, type UnsupportedOperation } from './unsupported-operations.js';

/** Gives a controller a handler for each of the operations, which refuses it by its name. */
function Refuses(operations: readonly UnsupportedOperation[]): ClassDecorator {
  return (controller) => {
    for (const { method, path, name } of operations) {
      const handler = camelCase(name);
      const descriptor = {
        value: () => {
          throw new UnsupportedOperationError(`${name} (${method} ${path})`);
        },
      };
      const prototype = controller.prototype as object;
      Object.defineProperty(prototype, handler, descriptor);
      const route = { method: RequestMethod[method], path: path.replaceAll(/\{(\w+)\}/g, ':$1') };
      RequestMapping(route)(prototype, handler, descriptor);
      Authenticated()(prototype, handler, descriptor);
    }
  };
}

/** What is not offered answers by name that it is not: 501, to every token. */
@ApiExcludeController()
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

/** `OAuth1: create a consumer` is `oAuth1CreateAConsumer` in the table of routes. */
function camelCase(name: string): string {
  const joined = name.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}
