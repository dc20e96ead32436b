import { DomainError } from '@cumulet/common/errors/domain-error';
import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { defineAction } from './server-action.js';

export class ChangePasswordDto {
  @StringField({ min: 0 })
  adminPass: string;
}

export class ChangePasswordBody {
  @ObjectField(() => ChangePasswordDto)
  changePassword: ChangePasswordDto;
}

/**
 * Nova API reference, "Change Administrative Password (changePassword Action)": only an agent in the
 * guest can change it while that runs. As Nova, refuses where none does.
 */
export const changePasswordAction = defineAction<ChangePasswordBody>({
  name: 'changePassword',
  body: ChangePasswordBody,
  states: ['active'],
  run: (_ctx, server) =>
    Promise.reject(
      new DomainError(
        'conflict',
        `Failed to set admin password on ${server.id} because no agent in its guest answers`,
      ),
    ),
});
