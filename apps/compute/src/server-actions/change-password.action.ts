import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { recordAtOnce } from '../servers/instance-actions/record-at-once.js';
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
 * guest can change it, while that runs.
 */
export const changePasswordAction = defineAction<ChangePasswordBody>({
  name: 'changePassword',
  body: ChangePasswordBody,
  states: ['active'],
  async run(ctx, server, { changePassword }, { adminPasswords }) {
    await recordAtOnce(ctx, server, 'changePassword', () =>
      adminPasswords.set(ctx, server, changePassword.adminPass),
    );
    return undefined;
  },
});
