import { Injectable } from '@nestjs/common';
import { DefinitionsService } from '../definitions.service.js';
import { NamespaceLookup } from '../namespaces/namespace-lookup.js';
import type { MetadefObject } from './object.entity.js';
import { ObjectRepository } from './object.repository.js';

@Injectable()
export class ObjectsService extends DefinitionsService<MetadefObject> {
  constructor(namespaces: NamespaceLookup, objects: ObjectRepository) {
    super('object', namespaces, objects);
  }
}
