import { isStorable } from '@cumulet/common/database/storable';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Injectable, type PipeTransform } from '@nestjs/common';

/** A name in a path: one that Postgres can be asked for. */
@Injectable()
export class NamePipe implements PipeTransform<string, string> {
  /** @throws InvalidInputError */
  transform(name: string): string {
    if (isStorable(name)) return name;
    throw new InvalidInputError('Invalid input: a name in the path must hold no null character.');
  }
}
