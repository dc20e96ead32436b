import { Injectable } from '@nestjs/common';
import { DefinitionRepository } from '../definition.repository.js';
import { MetadefObject } from './object.entity.js';

/** The table `metadef_objects`. */
@Injectable()
export class ObjectRepository extends DefinitionRepository<MetadefObject> {
  constructor() {
    super(MetadefObject);
  }
}
