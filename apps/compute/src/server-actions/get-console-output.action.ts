import { CheckedField, ObjectField } from '@cumulet/common/http/fields';
import { defineAction } from './server-action.js';

/** Lines as a number or digits; absent, null or -1 means all. */
function isLength(value: unknown): boolean {
  return /^(-1|\d{1,9})$/.test(String(value)) && ['number', 'string'].includes(typeof value);
}

export class GetConsoleOutputDto {
  @CheckedField(
    isLength,
    'must be a number of lines, or -1 for all',
    { type: 'integer', minimum: -1 },
    { optional: true, nullable: true },
  )
  length?: number | string | null;
}

export class GetConsoleOutputBody {
  @ObjectField(() => GetConsoleOutputDto)
  'os-getConsoleOutput': GetConsoleOutputDto;
}

/** Nova API reference, "Show Console Output (os-getConsoleOutput Action)". */
export const getConsoleOutputAction = defineAction<GetConsoleOutputBody>({
  name: 'os-getConsoleOutput',
  body: GetConsoleOutputBody,
  evenLocked: true,
  evenUnplaced: true,
  status: 200,
  async run(ctx, server, body, { guestConsole }) {
    const length = Number(body['os-getConsoleOutput'].length ?? -1);
    return { output: await guestConsole.read(ctx, server, length < 0 ? undefined : length) };
  },
});
