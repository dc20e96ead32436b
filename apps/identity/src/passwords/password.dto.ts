import { ObjectField, StringField } from '@cumulet/common/http/fields';

/** The longest password that is hashed, in characters. */
export const LONGEST_PASSWORD = 4_096;

export class PasswordChangeDto {
  @StringField({ min: 0, max: LONGEST_PASSWORD })
  original_password: string;

  @StringField({ max: LONGEST_PASSWORD })
  password: string;
}

export class ChangePasswordBody {
  @ObjectField(() => PasswordChangeDto)
  user: PasswordChangeDto;
}
