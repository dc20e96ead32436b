import { Authenticated } from '@cumulet/common/auth/access';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ImportMethods } from './import-methods.js';
import { importInfoView, type ImportInfoView } from './import-info.view.js';

/** Public source: Image API reference, "Import methods and values discovery". */
@ApiTags('discovery')
@Controller('v2/info/import')
export class ImportInfoController {
  constructor(private readonly methods: ImportMethods) {}

  @Get()
  @Authenticated()
  show(): ImportInfoView {
    return importInfoView(this.methods.enabled);
  }
}
