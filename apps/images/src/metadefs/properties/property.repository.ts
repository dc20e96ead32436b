import { Injectable } from '@nestjs/common';
import { DefinitionRepository } from '../definition.repository.js';
import { MetadefProperty } from './property.entity.js';

/** The table `metadef_properties`. */
@Injectable()
export class PropertyRepository extends DefinitionRepository<MetadefProperty> {
  constructor() {
    super(MetadefProperty);
  }
}
